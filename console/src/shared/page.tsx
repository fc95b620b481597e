import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its heading. The title is also the title of the browser tab. */
export function Page({ title, description, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Carillon`);
  return (
    <Stack gap="lg" maw={1200} mx="auto">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} miw={0}>
          <Title order={1} fz={{ base: 'h3', sm: 'h2' }} className={classes.title} lineClamp={3}>
            {title}
          </Title>
          {description && (
            <Text component="div" c="dimmed" size="sm">
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Removes the padding at the sides, so that a table reaches the border. */
  readonly flush?: boolean;
}

export function Section({ title, hint, actions, children, flush = false }: SectionProps) {
  const id = useId();
  return (
    <Paper withBorder component="section" aria-labelledby={id}>
      <Group justify="space-between" px="md" pt="md" pb="xs" gap="xs">
        <Stack gap={0}>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {hint && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </Stack>
        {actions}
      </Group>
      <Stack px={flush ? 0 : 'md'} pb={flush ? 'xs' : 'md'} gap="sm">
        {children}
      </Stack>
    </Paper>
  );
}
