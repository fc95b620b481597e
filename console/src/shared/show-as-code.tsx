import { Button, Code, CopyButton, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from './api.ts';
import { type ApiCall, type SampleLanguage, samplesOf } from './code-samples.ts';

/** A button that shows the API call of a page or form as curl, TypeScript or a command. */
export function ShowAsCode({ call }: { readonly call: ApiCall }) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('common.showCode')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('common.showCode')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Samples call={call} />
      </Modal>
    </>
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
      <Code block tabIndex={0}>
        {samples[language]}
      </Code>
      <CopyButton value={samples[language]}>
        {({ copied, copy }) => (
          <Button onClick={copy} aria-live="polite">
            {copied ? t('common.copied') : t('common.copy')}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}
