import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from './format.ts';
import { Notice } from './notice.tsx';
import { ErrorState } from './query-states.tsx';

/** A file whose rows can be only a part of the list. */
interface CsvFile {
  readonly text: string;
  /** Describes the missing rows. Undefined if the file has all of them. */
  readonly notice: string | undefined;
}

interface CsvButtonProps {
  /** Describes the contents of the file for screen readers. */
  readonly label: string;
  readonly file: string;
  /** Returns the file. If it needs several calls, it reports the number of loaded rows after each of them. */
  readonly content: (report: (rows: number) => void) => string | Promise<CsvFile>;
  readonly size?: 'xs' | 'sm';
}

/** A button that downloads a CSV file. */
export function CsvButton({ label, file, content, size = 'sm' }: CsvButtonProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [rows, setRows] = useState(0);
  const creation = useMutation({
    mutationFn: async () => {
      setRows(0);
      const created = await content(setRows);
      if (typeof created === 'string') return download(file, created);
      download(file, created.text);
      return created.notice;
    },
  });
  return (
    <>
      {creation.data !== undefined && (
        <Notice color="yellow" role="status">
          {creation.data}
        </Notice>
      )}
      {creation.isPending && rows > 0 && (
        <Text size="sm" c="dimmed">
          {t('csv.rows', { count: rows, number: number(rows) })}
        </Text>
      )}
      {creation.error && <ErrorState error={creation.error} title={t('csv.failed')} />}
      <Button
        variant="default"
        size={size}
        aria-label={label}
        loading={creation.isPending}
        onClick={() => creation.mutate()}
      >
        {t('csv.download')}
      </Button>
    </>
  );
}

/** Saves a file on the computer of the operator. */
function download(name: string, text: string): undefined {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has opened the URL by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
