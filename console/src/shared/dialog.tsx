import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useState } from 'react';

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

const KeepOpenContext = createContext<(isKept: boolean) => void>(() => undefined);

/** Keeps the dialog around this component open, except for buttons of its content that close it. */
export function useKeepOpen(isKept: boolean): void {
  const setIsKept = useContext(KeepOpenContext);
  useEffect(() => {
    setIsKept(isKept);
    return () => setIsKept(false);
  }, [setIsKept, isKept]);
}

/** A dialog in the middle of the page. */
export function Dialog({ children, ...props }: DialogProps) {
  const [isUsed, setIsUsed] = useState(props.opened);
  const [isKept, setIsKept] = useState(false);
  if (props.opened && !isUsed) setIsUsed(true);
  return (
    isUsed && (
      <Suspense>
        <DialogWindow {...props} isKept={isKept}>
          <KeepOpenContext value={setIsKept}>{children}</KeepOpenContext>
        </DialogWindow>
      </Suspense>
    )
  );
}
