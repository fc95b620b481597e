import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../shared/notice.tsx';
import classes from './file-drop.module.css';
import type { FileResult } from './vendor-file.ts';

interface FileDropProps {
  /** Extensions, such as `.p8,.p12`. */
  readonly types: string;
  readonly onFile: (name: string, bytes: Uint8Array) => void;
}

/** An area that accepts a dropped file, and a button for those who cannot drag. */
export function FileDrop({ types, onFile }: FileDropProps) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const read = async (file: File | null | undefined) => {
    if (file) onFile(file.name, new Uint8Array(await file.arrayBuffer()));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same without a pointer
    <div
      className={classes.area}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex={1} miw={200}>
          {t('setup.drop', { types: types.replaceAll(',', ', ') })}
        </Text>
        <FileButton accept={types} onChange={(file) => void read(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {t('setup.choose')}
            </Button>
          )}
        </FileButton>
      </Group>
    </div>
  );
}

/** Says which values were read from a file, or why it cannot be used. */
export function FileOutcome({ name, result }: { readonly name: string; readonly result: FileResult }) {
  const { t } = useTranslation();
  const shown = name || t('setup.pasted');
  if ('problem' in result)
    return (
      <Notice color="red" role="alert" title={t('setup.unusable', { name: shown })}>
        {t(`setup.problems.${result.problem}`)}
      </Notice>
    );
  return (
    <Notice color="green" role="status">
      <Stack gap={4}>
        <Text size="sm">{t('setup.read', { name: shown })}</Text>
        {result.note && <Text size="sm">{t(`setup.notes.${result.note}`)}</Text>}
      </Stack>
    </Notice>
  );
}
