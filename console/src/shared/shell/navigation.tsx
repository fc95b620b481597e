import { NavLink, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../api.ts';
import { pages, sections } from './pages.ts';
import classes from './shell.module.css';

/** Links to the pages that the role allows, one list for each section. */
export function Navigation() {
  const { can } = useApp();
  return sections.map((section) => {
    const shown = pages.filter((page) => page.section === section && can(page.role));
    return shown.length > 0 && <NavigationSection key={section} section={section} shown={shown} />;
  });
}

interface NavigationSectionProps {
  readonly section: (typeof sections)[number];
  readonly shown: readonly (typeof pages)[number][];
}

function NavigationSection({ section, shown }: NavigationSectionProps) {
  const { t } = useTranslation();
  const { app } = useApp();
  const id = useId();
  const heading = section === 'start' ? undefined : t(`sections.${section}`);
  return (
    <>
      {heading && (
        <Text id={id} size="xs" c="dimmed" fw={600} px="sm" pt={10} pb={2}>
          {heading}
        </Text>
      )}
      <ul className={classes.list} {...(heading && { 'aria-labelledby': id })}>
        {shown.map(({ to, name }) => (
          <li key={name}>
            <NavLink
              className={classes.link}
              label={t(`nav.${name}`)}
              py={{ base: 8, sm: 3 }}
              renderRoot={(props) => (
                <Link
                  to={to}
                  params={{ appId: app.app_id }}
                  activeOptions={{ exact: name === 'overview' }}
                  {...props}
                />
              )}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
