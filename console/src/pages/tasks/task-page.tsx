import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { CsvButton } from '../../shared/csv-button.tsx';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { Page, Section } from '../../shared/page.tsx';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';
import { serverNow } from '../../shared/server-clock.ts';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { CancelTask } from './cancel-task.tsx';
import { Course } from './course.tsx';
import { DeletedTask } from './deleted-task.tsx';
import { Failures } from './failures.tsx';
import { Funnel } from './funnel.tsx';
import { funnelRows, obstaclesOf, totalOf } from './funnel-rows.ts';
import { Hold } from './hold.tsx';
import { RecallResults, RecallTask } from './recall.tsx';
import { countersRefreshMs, SLOW_MS, stateRefreshMs } from './refresh.ts';
import { useSendingRate } from './sending-rate.ts';
import { TaskContent } from './task-content.tsx';
import { channelsToCsv, failuresToCsv } from './task-csv.ts';
import { type Task, TaskAudience, TaskAuthor, TaskState } from './task-state.tsx';

/** One task: its state, its counters by channel, and the reasons of failures. */
export function TaskPage() {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const { taskId } = useParams({ from: '/app/$appId/tasks/$taskId' });
  const task = useQuery({
    queryKey: [app.app_id, 'task', taskId],
    queryFn: async () => {
      // The list continues below the given ID, so this is the page that starts with the task.
      const { list } = await api.push.task.list({ after: BigInt(taskId) + 1n, limit: 1, content: true });
      return list.find(({ task_id }) => task_id === BigInt(taskId)) ?? null;
    },
    refetchInterval: ({ state: { data } }) => (data ? stateRefreshMs(data, serverNow()) : false),
  });
  const request = { task_id: BigInt(taskId) };
  return (
    <Page
      title={task.data?.title ?? t('task.title', { id: taskId })}
      description={
        <Anchor renderRoot={(props) => <Link to="/app/$appId/tasks" params={{ appId: app.app_id }} {...props} />}>
          ← {t('task.back')}
        </Anchor>
      }
      actions={
        <>
          <ShowAsCode call={{ path: '/push/task/report', request }} />
          {can('sender') && <CancelTask taskId={taskId} isOpen={isOpen(task.data)} />}
          {can('sender') && task.data && !isOpen(task.data) && <RecallTask taskId={taskId} />}
        </>
      }
    >
      <QueryStates query={task}>
        {(found) =>
          found ? (
            <>
              <Hold task={found} />
              <Facts task={found} />
              <Course task={found} />
              <TaskContent task={found} />
              <Results task={found} />
            </>
          ) : (
            <DeletedTask taskId={taskId} />
          )
        }
      </QueryStates>
    </Page>
  );
}

const isOpen = (task: Task | null | undefined): boolean => task?.state === 'sending' || task?.state === 'held';

function Facts({ task }: { readonly task: Task }) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl" m={0}>
      <Fact name={t('tasks.state')}>
        <TaskState state={task.state} />
      </Fact>
      <Fact name={t('tasks.audience')}>
        <TaskAudience audience={task.audience} />
      </Fact>
      <Fact name={t('tasks.author')}>
        <TaskAuthor {...task} />
      </Fact>
      <Fact name={t('task.taskId')}>{String(task.task_id)}</Fact>
    </SimpleGrid>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Stack gap={2}>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </Stack>
  );
}

function Results({ task }: { readonly task: Task }) {
  const { t } = useTranslation();
  const { number, time } = useFormat();
  const { api, app } = useApp();
  const key = String(task.task_id);
  const [refreshMs, setRefreshMs] = useState<number | false>(false);
  // The state is part of the key, so that the final numbers are loaded once more after the end.
  const counters = useQuery({
    queryKey: [app.app_id, 'counters', key, task.state],
    queryFn: () => api.push.task.detail({ list: [task.task_id] }),
    // After an outage, the counters of a task that has ended are loaded once more.
    refetchInterval: ({ state: { status } }) => (status === 'error' ? SLOW_MS : refreshMs),
    placeholderData: (previous) => previous,
  });
  const report = useQuery({
    queryKey: [app.app_id, 'report', key, task.state],
    queryFn: () => api.push.task.report({ task_id: task.task_id }),
    refetchInterval: ({ state: { data, status } }) =>
      refreshMs !== false || status === 'error' || data?.recall === 'running' || data?.incomplete ? SLOW_MS : false,
    placeholderData: (previous) => previous,
  });
  const channels = useQuery({
    queryKey: [app.app_id, 'channels'],
    queryFn: () => api.admin.channel.list(),
    enabled: task.state === 'sending',
    refetchInterval: SLOW_MS,
  });
  // The statistics need all databases, and the report then has the counters of those that are available.
  const isIncomplete = report.data?.incomplete === true;
  const rows = funnelRows(isIncomplete ? undefined : counters.data?.[0], report.data);
  const total = totalOf(rows);
  const rate = useSendingRate(total.sent, counters.dataUpdatedAt);
  const waiting = report.data?.waiting ?? 0n;
  const progress = { ...total, isWaiting: waiting > 0n && rate === undefined };
  const nextRefreshMs = countersRefreshMs(task, progress, serverNow());
  if (nextRefreshMs !== refreshMs) setRefreshMs(nextRefreshMs);
  const funnel =
    rows.length > 0 ? (
      <Funnel rows={rows} obstacles={obstaclesOf(task.state === 'sending' ? (channels.data ?? []) : [])} />
    ) : (
      <EmptyState title={t('task.noChannels')} hint={t('task.noChannelsHint')} />
    );
  return (
    <>
      <Section
        title={t('task.funnel')}
        hint={t('task.funnelHint')}
        actions={
          <Group gap="sm">
            {task.state === 'sending' && !progress.isWaiting && <Pace unsent={total.target - total.sent} rate={rate} />}
            {report.data && (
              <CsvButton
                size="xs"
                label={t('csv.channels')}
                file={`task-${key}-channels.csv`}
                content={() => channelsToCsv(report.data)}
              />
            )}
          </Group>
        }
        flush
      >
        {isIncomplete ? (
          <>
            <Notice color="yellow" mx="md">
              {t('task.databaseUnavailable')}
            </Notice>
            {funnel}
          </>
        ) : (
          <QueryStates query={counters}>{() => funnel}</QueryStates>
        )}
        {waiting > 0n && (
          <Notice color="blue" mx="md">
            {t('task.waiting', {
              count: Number(waiting),
              number: number(waiting),
              time: time(report.data?.waiting_until ?? task.end_at),
            })}
          </Notice>
        )}
      </Section>
      {report.data && <RecallResults report={report.data} />}
      <Section
        title={t('task.failures')}
        actions={
          report.data?.channels.some(({ failures }) => failures.length > 0) && (
            <CsvButton
              size="xs"
              label={t('csv.failures')}
              file={`task-${key}-failures.csv`}
              content={() => failuresToCsv(report.data)}
            />
          )
        }
        flush
      >
        <QueryStates query={report}>{(data) => <Failures report={data} />}</QueryStates>
      </Section>
    </>
  );
}

/** The current sending rate and the estimated remaining time. */
function Pace({ unsent, rate }: { readonly unsent: bigint; readonly rate: number | undefined }) {
  const { t } = useTranslation();
  const { number, duration } = useFormat();
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {rate === undefined ? t('task.live') : t('task.rate', { rate: number(Math.round(rate)) })}
        {rate !== undefined && unsent > 0n && ` · ${t('task.remaining', { time: duration(Number(unsent) / rate) })}`}
      </Text>
    </Group>
  );
}
