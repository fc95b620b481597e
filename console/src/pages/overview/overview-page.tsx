import { Anchor, Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Usage } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useFormat } from '../../shared/format.ts';
import { Page, Section } from '../../shared/page.tsx';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';
import { TaskTable } from '../tasks/task-table.tsx';
import { AttentionList } from './attention-list.tsx';
import { FirstSteps } from './first-steps.tsx';
import { History } from './history/history.tsx';
import { FIRST_TASKS, isStarted } from './is-started.ts';

const REFRESH_MS = 10_000;

/** The first page of an app: problems that need attention, the size of the app, and its latest tasks. */
export function OverviewPage() {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const refresh = { refetchInterval: REFRESH_MS };
  const channels = useQuery({
    queryKey: [app.app_id, 'channels'],
    queryFn: () => api.admin.channel.list(),
    ...refresh,
  });
  const details = useQuery({ queryKey: [app.app_id, 'app'], queryFn: () => api.admin.app.get(), ...refresh });
  const tasks = useQuery({
    queryKey: [app.app_id, 'latest-tasks'],
    queryFn: () => api.push.task.list({ limit: FIRST_TASKS, counts: true }),
    ...refresh,
  });
  const hasTasks = (tasks.data?.list.length ?? 0) > 0;
  return (
    <Page title={t('overview.title')} description={app.name || app.app_id}>
      {channels.data && details.data && tasks.data && (
        <FirstSteps
          stepCredentials={channels.data.length > 0}
          stepDevice={details.data.usage.devices > 0n}
          stepSend={tasks.data.list.length > 0}
          isStarted={isStarted(tasks.data.list)}
        />
      )}
      <Section title={t('overview.attention')}>
        <QueryStates query={channels}>{(list) => <AttentionList channels={list} hasTasks={hasTasks} />}</QueryStates>
      </Section>
      <QueryStates query={details}>{({ usage }) => <UsageCards usage={usage} />}</QueryStates>
      <History hasTasks={hasTasks} />
      <Section
        title={t('overview.latest')}
        flush
        actions={
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/app/$appId/tasks" params={{ appId: app.app_id }} {...props} />}
          >
            {t('overview.allTasks')}
          </Anchor>
        }
      >
        <QueryStates query={tasks}>
          {({ list }) =>
            list.length > 0 ? (
              <TaskTable tasks={list} />
            ) : (
              <EmptyState title={t('tasks.empty')} hint={t('tasks.emptyHint')} />
            )
          }
        </QueryStates>
      </Section>
    </Page>
  );
}

function UsageCards({ usage }: { readonly usage: Usage }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const cards = [
    [t('overview.devices'), usage.devices],
    [t('overview.sessions'), usage.sessions],
    [t('overview.users'), usage.users],
    [t('overview.openTasks'), usage.open_tasks],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      {cards.map(([name, value]) => (
        <Paper key={name} withBorder p="md">
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Text size="xl" fw={600}>
            {number(value)}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
