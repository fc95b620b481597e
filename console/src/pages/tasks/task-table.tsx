import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { channelOf, reportsDelivery } from '../../shared/channels.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { useFormat } from '../../shared/format.ts';
import { ReceiptsNote } from './receipts-note.tsx';
import { type Task, TaskAudience, TaskAuthor, TaskState } from './task-state.tsx';

/** A list of tasks. Narrow screens show the columns that identify a task and its result. */
export function TaskTable({ tasks }: { readonly tasks: readonly Task[] }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const channels = useQuery({ queryKey: [app.app_id, 'channels'], queryFn: () => api.admin.channel.list() });
  // The tasks have no counters by channel, so all channels of the app are named whose receipts can be missing.
  const names = new Set(channels.data?.map(({ provider }) => channelOf(provider)));
  const unreported = [...names].filter((name) => !reportsDelivery(name));
  return (
    <>
      <DataTable
        highlightOnHover
        head={
          <>
            <Table.Th>{t('tasks.notification')}</Table.Th>
            <Table.Th>{t('tasks.state')}</Table.Th>
            <Table.Th visibleFrom="md">{t('tasks.audience')}</Table.Th>
            <Table.Th visibleFrom="lg">{t('tasks.author')}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {t('tasks.target')}
            </Table.Th>
            <Table.Th ta="right">{t('tasks.sent')}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {t('tasks.received')}
            </Table.Th>
          </>
        }
      >
        {tasks.map((task) => (
          <TaskRow key={String(task.task_id)} task={task} />
        ))}
      </DataTable>
      {tasks.some(({ sent, received }) => sent !== received) && <ReceiptsNote channels={unreported} px="md" />}
    </>
  );
}

function TaskRow({ task }: { readonly task: Task }) {
  const { t } = useTranslation();
  const { app } = useApp();
  const { ago, number, time } = useFormat();
  const count = (value: bigint | null) => (value === null ? '–' : number(value));
  const params = { appId: app.app_id, taskId: String(task.task_id) };
  return (
    <Table.Tr>
      <Table.Td maw={{ base: 150, sm: 320 }}>
        <Anchor
          fw={500}
          size="sm"
          lineClamp={2}
          renderRoot={(props) => <Link to="/app/$appId/tasks/$taskId" params={params} {...props} />}
        >
          {task.title ?? t('tasks.untitled')}
        </Anchor>
        <Text size="xs" c="dimmed" title={time(task.accepted_at)}>
          {ago(task.accepted_at)}
        </Text>
      </Table.Td>
      <Table.Td>
        <TaskState state={task.state} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <TaskAudience audience={task.audience} />
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <TaskAuthor {...task} />
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {count(task.target)}
      </Table.Td>
      <Table.Td ta="right">{count(task.sent)}</Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {count(task.received)}
      </Table.Td>
    </Table.Tr>
  );
}
