import { Box, Button, Menu, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../api.ts';
import { ErrorText } from '../query-states.tsx';
import { sessionQuery, signOut } from '../session.ts';

export function AccountMenu() {
  const { t } = useTranslation();
  const { app } = useApp();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const leave = useMutation({
    mutationFn: () => signOut(session),
    // A new page load also removes the data of the operator from memory.
    onSuccess: () => location.assign('/console/sign-in'),
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray" c="inherit" px="xs" maw={{ base: 110, sm: 220 }}>
          {session.name || session.email}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Text px="sm" pt="xs" size="sm" fw={600}>
          {session.name}
        </Text>
        <Text px="sm" size="sm" c="dimmed">
          {session.email}
        </Text>
        <Text px="sm" pb="xs" size="sm" c="dimmed">
          {session.is_platform ? t('app.platform') : t(`app.roles.${app.role}`)}
        </Text>
        <Menu.Divider />
        <Menu.Item renderRoot={(props) => <Link to="/app/$appId/account" params={{ appId: app.app_id }} {...props} />}>
          {t('nav.account')}
        </Menu.Item>
        <Menu.Item closeMenuOnClick={false} disabled={leave.isPending} onClick={() => leave.mutate()}>
          {t('app.signOut')}
        </Menu.Item>
        {leave.error && (
          <Box px="sm" pb="xs" maw={280} role="alert">
            <ErrorText error={leave.error} />
          </Box>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
