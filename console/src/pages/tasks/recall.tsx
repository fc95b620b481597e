import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PushTaskReportResponse } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import type { ChannelName } from '../../shared/channels.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { Section } from '../../shared/page.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { CodeDetails } from '../../shared/show-as-code.tsx';

/** A button that removes the notification of a task that has ended from devices, after a confirmation. */
export function RecallTask({ taskId }: { readonly taskId: string }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const request = { task_id: BigInt(taskId), recall: true };
  const recall = useMutation({
    mutationFn: () => api.push.task.cancel(request),
    onSettled: () => queries.invalidateQueries({ queryKey: [app.app_id] }),
  });
  const channels = recall.data?.recall ?? [];
  const named = (isSupported: boolean) =>
    list(
      channels
        .filter(({ supported }) => supported === isSupported)
        .map(({ channel }) => t(`channel.${channel as ChannelName}`)),
    );
  return (
    <>
      <Button variant="outline" color="red" onClick={open}>
        {t('recall.button')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('recall.title')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Stack>
          {recall.error && <ErrorState error={recall.error} title={t('recall.failed')} />}
          {recall.data ? (
            <>
              {named(true) && (
                <Notice color="green" role="status">
                  {t('recall.started', { channels: named(true) })}
                </Notice>
              )}
              {named(false) && <Notice color="yellow">{t('recall.unsupported', { channels: named(false) })}</Notice>}
              {channels.length === 0 && <Notice color="yellow">{t('recall.nothing')}</Notice>}
            </>
          ) : (
            <>
              <Text size="sm">{t('recall.text')}</Text>
              <CodeDetails call={{ path: '/push/task/cancel', request }} />
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common.close')}
            </Button>
            {!recall.data && (
              <Button color="red" loading={recall.isPending} onClick={() => recall.mutate()}>
                {t('recall.button')}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
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
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('task.channel')}</Table.Th>
            <Table.Th ta="right">{t('recall.recalled')}</Table.Th>
            <Table.Th ta="right">{t('recall.notRecalled')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.channels.map(({ channel, recalled, recall_failed }) => (
            <Table.Tr key={channel}>
              <Table.Td>{t(`channel.${channel as ChannelName}`)}</Table.Td>
              <Table.Td ta="right">{number(recalled)}</Table.Td>
              <Table.Td ta="right">{number(recall_failed)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
