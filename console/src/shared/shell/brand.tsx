import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useApp } from '../api.ts';
import classes from './shell.module.css';

/** The logo, which opens the overview of the app. */
export function Brand() {
  const { app } = useApp();
  return (
    <Link
      to="/app/$appId"
      params={{ appId: app.app_id }}
      activeOptions={{ exact: true }}
      className={classes.brand}
      aria-label="Carillon"
    >
      <img src="/console/bell.svg" width={24} height={24} alt="" />
      <Text component="span" fw={600} visibleFrom="sm">
        Carillon
      </Text>
    </Link>
  );
}
