import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from './shell.module.css';

export function Brand() {
  return (
    <Link to="/" className={classes.brand} aria-label="Carillon">
      <img src="/console/bell.svg" width={24} height={24} alt="" />
      <Text component="span" fw={600} visibleFrom="sm">
        Carillon
      </Text>
    </Link>
  );
}
