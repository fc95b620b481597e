import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  readonly color: 'red' | 'yellow' | 'green' | 'blue';
  readonly title?: string;
  /** `alert` is announced immediately by screen readers, `status` when they are idle. */
  readonly role?: 'alert' | 'status';
  readonly mx?: string;
  readonly children?: ReactNode;
}

/** A message with a colored edge. The text has the normal color, so that it is readable in both themes. */
export function Notice({ color, title, role, mx = '0', children }: NoticeProps) {
  return (
    <Box
      className={classes.notice}
      __vars={{ '--notice-color': `var(--mantine-color-${color}-6)` }}
      role={role}
      mx={mx}
    >
      <Stack gap={4}>
        {title && (
          <Text size="sm" fw={600}>
            {title}
          </Text>
        )}
        {typeof children === 'string' ? <Text size="sm">{children}</Text> : children}
      </Stack>
    </Box>
  );
}
