import { Code, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from './api.ts';
import { type ApiCall, type SampleLanguage, samplesOf } from './code-samples.ts';
import { CopyValue } from './secret.tsx';
import classes from './show-as-code.module.css';

/** The call in the chosen language, and a button that copies it. */
export function CodeSamples({ call }: { readonly call: ApiCall }) {
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
