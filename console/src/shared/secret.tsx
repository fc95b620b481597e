import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeepOpen } from './dialog.tsx';

interface SecretProps {
  readonly text: string;
  readonly secret: string;
  /** The buttons that leave the dialog. A link needs `ignoreBlocker`. */
  readonly children: ReactNode;
}

/**
 * A new secret in a dialog. The service does not return it again, so Escape, Back and the command palette do not leave
 * it, and the browser asks before a reload.
 */
export function Secret({ text, secret, children }: SecretProps) {
  useKeepOpen(true);
  useBlocker({ shouldBlockFn: () => true });
  return (
    <Stack>
      <Text size="sm" role="status">
        {text}
      </Text>
      <Code block tabIndex={0}>
        {secret}
      </Code>
      <Group justify="flex-end">
        <CopyValue value={secret} />
        {children}
      </Group>
    </Stack>
  );
}

/** A button that copies a text, and confirms it. */
export function CopyValue({ value }: { readonly value: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy} aria-live="polite">
          {copied ? t('common.copied') : t('common.copy')}
        </Button>
      )}
    </CopyButton>
  );
}
