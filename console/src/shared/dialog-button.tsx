import { Button, type MantineSize, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface DialogButtonProps {
  readonly label: string;
  /** The title of the dialog, if it differs from the label. */
  readonly title?: string;
  readonly variant?: 'filled' | 'default';
  readonly size?: MantineSize;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. Its content loses its state when it closes. */
export function DialogButton({ label, title = label, variant = 'filled', size = 'md', children }: DialogButtonProps) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant={variant} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        size={size}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {children(close)}
      </Modal>
    </>
  );
}
