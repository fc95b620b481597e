import { Modal } from '@mantine/core';
import { useFocusReturn } from '@mantine/hooks';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DialogProps } from './dialog.tsx';

/** The window of a dialog. It takes the focus, and returns it when it closes. */
export function DialogWindow({
  opened,
  close,
  title,
  size = 'md',
  closeOnClickOutside = true,
  isKept,
  children,
}: DialogProps & { readonly isKept: boolean }) {
  const { t } = useTranslation();
  const stackId = useId();
  // The focused button is remembered only if the window is mounted before it opens.
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  const isOpen = opened && isMounted;
  // A modal in a stack loses the focus trap when it closes, and does not return the focus then.
  const returnFocus = useFocusReturn({ opened: isOpen });
  // A dialog that is closed immediately takes the focus after it was returned.
  const returnLateFocus = () => {
    if (document.getElementById(stackId)?.contains(document.activeElement)) returnFocus();
  };
  return (
    <Modal
      id={stackId}
      stackId={stackId}
      opened={isOpen}
      returnFocus={false}
      onClose={() => !isKept && close()}
      onExitTransitionEnd={returnLateFocus}
      withCloseButton={!isKept}
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
