import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiCall } from './code-samples.ts';
import { DialogButton } from './dialog-button.tsx';
import { LoadingState } from './query-states.tsx';
import classes from './show-as-code.module.css';

// The samples are loaded when they are first shown.
const CodeSamples = lazy(() => import('./code-samples-view.tsx').then(({ CodeSamples }) => ({ default: CodeSamples })));

/** A button that shows the API call of a page or form as curl, TypeScript or a command. */
export function ShowAsCode({ call }: { readonly call: ApiCall }) {
  const { t } = useTranslation();
  return (
    <DialogButton label={t('common.showCode')} variant="default" size="lg">
      {() => <Samples call={call} />}
    </DialogButton>
  );
}

/** The same inside a dialog or a form, folded at first. */
export function CodeDetails({ call }: { readonly call: ApiCall }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t('common.showCode')}</summary>
      {isOpen && <Samples call={call} />}
    </details>
  );
}

const Samples = (props: { readonly call: ApiCall }) => (
  <Suspense fallback={<LoadingState />}>
    <CodeSamples {...props} />
  </Suspense>
);
