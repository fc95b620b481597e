import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/format.ts';

/** Says up to when changes are in the counters by day, if they are outdated. */
export function OutdatedCounts({ countedAt }: { readonly countedAt: bigint | null }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  return (
    <Text size="sm">
      {countedAt === null ? t('history.neverCounted') : t('history.countedAt', { time: time(countedAt) })}
    </Text>
  );
}
