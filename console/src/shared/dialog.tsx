import { lazy, type ReactNode, Suspense, useState } from 'react';

// The window is loaded when a dialog is first opened.
const DialogWindow = lazy(() => import('./dialog-window.tsx').then(({ DialogWindow }) => ({ default: DialogWindow })));

export interface DialogProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly title: ReactNode;
  readonly size?: 'md' | 'lg';
  /** Whether a click outside closes the dialog. Forms stay open, because their values would be lost. */
  readonly closeOnClickOutside?: boolean;
  /** The content, which loses its state when the dialog closes. */
  readonly children: ReactNode;
}

/** A dialog in the middle of the page. */
export function Dialog(props: DialogProps) {
  const [isUsed, setIsUsed] = useState(props.opened);
  if (props.opened && !isUsed) setIsUsed(true);
  return (
    isUsed && (
      <Suspense>
        <DialogWindow {...props} />
      </Suspense>
    )
  );
}
