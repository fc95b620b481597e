import { Code, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from './api.ts';
import { type ApiCall, type SampleLanguage, samplesOf } from './code-samples.ts';
import { DialogButton } from './dialog-button.tsx';
import { CopyValue } from './secret.tsx';
import classes from './show-as-code.module.css';

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

function Samples({ call }: { readonly call: ApiCall }) {
  const { t } = useTranslation();
  const { app } = useApp();
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const samples = samplesOf(call, location.origin, app.app_id);
  return (
    <Stack>
      <Text size="sm">{t('common.codeHint')}</Text>
      <SegmentedControl
        aria-label={t('common.showCode')}
        data={Object.keys(samples)}
        value={language}
        onChange={(value) => setLanguage(value as SampleLanguage)}
      />
      <Code block tabIndex={0} className={classes.code}>
        {samples[language]}
      </Code>
      <CopyValue value={samples[language]} />
    </Stack>
  );
}
