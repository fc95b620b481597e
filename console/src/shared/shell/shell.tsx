import { Anchor, AppShell, Burger, Group, Kbd, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../api.ts';
import { ConfirmProvider } from '../confirm.tsx';
import { rememberApp } from '../last-app.ts';
import { AccountMenu } from './account-menu.tsx';
import { AppSwitcher } from './app-switcher.tsx';
import { Brand } from './brand.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteButton, usePalette } from './palette-button.tsx';
import { Preferences } from './preferences.tsx';
import classes from './shell.module.css';

/** The frame of every page of an app: header, navigation and content. */
export function Shell() {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure();
  const [openPalette, palette] = usePalette();
  const { pathname } = useLocation();
  const { app } = useApp();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(close, [pathname]);
  useEffect(() => rememberApp(app.app_id), [app.app_id]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <Anchor href="#content" className={classes.skip}>
        {t('app.skip')}
      </Anchor>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('app.menu')} />
          <Brand />
          <AppSwitcher />
          <Group ml="auto" gap="xs" wrap="nowrap">
            <PaletteButton open={openPalette} visibleFrom="sm" rightSection={<Kbd size="xs">Ctrl K</Kbd>} />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={classes.navbar} aria-label={t('app.menu')}>
        {/* The header of a phone has no room for the button. */}
        <PaletteButton
          open={() => {
            close();
            openPalette();
          }}
          hiddenFrom="sm"
          flex="none"
        />
        <Navigation />
        <Stack mt="auto" gap="sm" pt="md">
          <Preferences />
          <Text size="sm">
            <Anchor href="/reference" inherit>
              {t('app.reference')}
            </Anchor>
          </Text>
        </Stack>
      </AppShell.Navbar>
      {palette}
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <ConfirmProvider>
          <Outlet />
        </ConfirmProvider>
      </AppShell.Main>
    </AppShell>
  );
}
