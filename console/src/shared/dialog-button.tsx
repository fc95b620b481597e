import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Dialog, type DialogProps } from './dialog.tsx';

interface DialogButtonProps extends Pick<DialogProps, 'size' | 'closeOnClickOutside'> {
  readonly label: string;
  /** The title of the dialog, if it differs from the label. */
  readonly title?: string;
  readonly variant?: 'filled' | 'default';
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ label, title = label, variant = 'filled', children, ...dialog }: DialogButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant={variant} onClick={open}>
        {label}
      </Button>
      <Dialog opened={opened} close={close} title={title} {...dialog}>
        {children(close)}
      </Dialog>
    </>
  );
}
