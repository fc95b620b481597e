import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ChannelName } from '../../shared/channels.ts';
import { useFormat } from '../../shared/format.ts';

interface ReceiptsNoteProps {
  /** Channels that are missing in the sums of received notifications. */
  readonly channels: readonly ChannelName[];
  readonly px?: string;
}

/** Explains why sums of received notifications are too small. */
export function ReceiptsNote({ channels, px = '0' }: ReceiptsNoteProps) {
  const { t } = useTranslation();
  const { list } = useFormat();
  if (channels.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" px={px} py={4}>
      {t('tasks.noReceipts', { channels: list(channels.map((channel) => t(`channel.${channel}`))) })}
    </Text>
  );
}
