import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorState } from './query-states.tsx';

interface CsvButtonProps {
  /** Describes the contents of the file for screen readers. */
  readonly label: string;
  readonly file: string;
  readonly content: () => string | Promise<string>;
  readonly size?: 'xs' | 'sm';
}

/** A button that downloads a CSV file. */
export function CsvButton({ label, file, content, size = 'sm' }: CsvButtonProps) {
  const { t } = useTranslation();
  const creation = useMutation({ mutationFn: async () => download(file, await content()) });
  return (
    <>
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
function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has opened the URL by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
