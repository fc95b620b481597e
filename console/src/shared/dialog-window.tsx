import { Modal } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DialogProps } from './dialog.tsx';

/** The window of a dialog. It takes the focus, and returns it when it closes. */
export function DialogWindow({ opened, close, title, size = 'md', closeOnClickOutside = true, children }: DialogProps) {
  const { t } = useTranslation();
  const stackId = useId();
  // The modal remembers the focused button only if it is mounted before it opens.
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return (
    <Modal
      stackId={stackId}
      opened={opened && isMounted}
      onClose={close}
      title={title}
      size={size}
      closeOnClickOutside={closeOnClickOutside}
      centered
      styles={{ title: { fontWeight: 600 } }}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {children}
    </Modal>
  );
}
