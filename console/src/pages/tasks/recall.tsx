import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PushTaskCancelResponse, PushTaskReportResponse } from '../../../../sdk/src/index.ts';
import type { ChannelName } from '../../shared/channels.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { Section } from '../../shared/page.tsx';
import { StopDialog } from './stop-dialog.tsx';

/** A button that removes the notification of a task that has ended from devices, after a confirmation. */
export function RecallTask({ taskId }: { readonly taskId: string }) {
  const { t } = useTranslation();
  return (
    <StopDialog
      request={{ task_id: BigInt(taskId), recall: true }}
      label={t('recall.button')}
      title={t('recall.title')}
      failed={t('recall.failed')}
      result={({ recall = [] }) => <StartedRecall channels={recall} />}
    >
      <Text size="sm">{t('recall.text')}</Text>
    </StopDialog>
  );
}

/** The channels on which the recall runs, and those that do not support it. */
export function StartedRecall({ channels }: { readonly channels: NonNullable<PushTaskCancelResponse['recall']> }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const named = (isSupported: boolean) =>
    list(
      channels
        .filter(({ supported }) => supported === isSupported)
        .map(({ channel }) => t(`channel.${channel as ChannelName}`)),
    );
  return (
    <>
      {named(true) && (
        <Notice color="green" role="status">
          {t('recall.started', { channels: named(true) })}
        </Notice>
      )}
      {named(false) && <Notice color="yellow">{t('recall.unsupported', { channels: named(false) })}</Notice>}
      {channels.length === 0 && <Notice color="yellow">{t('recall.nothing')}</Notice>}
    </>
  );
}

/** The devices from which the notification was removed. Shown only after a recall was requested. */
export function RecallResults({ report }: { readonly report: PushTaskReportResponse }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  if (report.recall === 'none') return null;
  return (
    <Section title={t('recall.results')} hint={t(`recall.states.${report.recall}`)} flush>
      <DataTable
        head={
          <>
            <Table.Th>{t('task.channel')}</Table.Th>
            <Table.Th ta="right">{t('recall.recalled')}</Table.Th>
            <Table.Th ta="right">{t('recall.notRecalled')}</Table.Th>
          </>
        }
      >
        {report.channels.map(({ channel, recalled, recall_failed }) => (
          <Table.Tr key={channel}>
            <Table.Td>{t(`channel.${channel as ChannelName}`)}</Table.Td>
            <Table.Td ta="right">{number(recalled)}</Table.Td>
            <Table.Td ta="right">{number(recall_failed)}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </Section>
  );
}
