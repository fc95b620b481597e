import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { CsvButton } from '../../shared/csv-button.tsx';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import type { Sender } from '../../shared/senders.ts';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { listTasks, tasksToCsv } from './task-csv.ts';
import { TaskFilters } from './task-filters.tsx';
import { isFiltered, type TaskSearch, toListRequest } from './task-search.ts';
import type { Task } from './task-state.tsx';
import { TaskTable } from './task-table.tsx';

const PAGE_SIZE = 25;
const REFRESH_MS = 5_000;

/** All tasks of the app. The address contains the filters, the order and the position in the list. */
export function TasksPage() {
  const { t } = useTranslation();
  const { number, time } = useFormat();
  const { api, app, can } = useApp();
  const search = useSearch({ from: '/app/$appId/tasks' });
  const { after, ...filters } = search;
  const request = { limit: PAGE_SIZE, ...toListRequest(search) };
  const tasks = useQuery({
    queryKey: [app.app_id, 'tasks', search],
    queryFn: () => api.push.task.list(request),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const createFile = async (report: (tasks: number) => void) => {
    const { tasks: listed, isIncomplete } = await listTasks(api, toListRequest(filters), report);
    return { text: tasksToCsv(listed), notice: isIncomplete ? incompleteNotice(listed) : undefined };
  };
  const incompleteNotice = (listed: readonly Task[]) => {
    const last = listed.at(-1);
    return last
      ? t('csv.incomplete', { count: listed.length, number: number(listed.length), time: time(last.accepted_at) })
      : t('csv.incompleteEmpty');
  };
  const params = { appId: app.app_id };
  return (
    <Page
      title={t('tasks.title')}
      description={t('tasks.description')}
      actions={
        <>
          <CsvButton label={t('csv.tasks')} file="tasks.csv" content={createFile} />
          <ShowAsCode call={{ path: '/push/task/list', request }} />
        </>
      }
    >
      <TaskFilters senders={sendersOf(tasks.data?.list ?? [])} />
      <PagedList
        query={tasks}
        order={search.order === 'oldest' ? 'oldest' : 'newest'}
        empty={({ next }) => (
          <EmptyState title={t(emptyTitle(search))} hint={t(emptyHint(search, next))}>
            {can('sender') && !isFiltered(search) && (
              <Button renderRoot={(props) => <Link to="/app/$appId/compose" params={params} {...props} />}>
                {t('tasks.compose')}
              </Button>
            )}
          </EmptyState>
        )}
      >
        {({ list }) => <TaskTable tasks={list} />}
      </PagedList>
    </Page>
  );
}

const sendersOf = (tasks: readonly Task[]): readonly Sender[] =>
  tasks.flatMap(({ token_kind: kind, token_id: id, token_name: name }) =>
    (kind === 'operator' || kind === 'admin') && id !== null && name !== null ? [{ kind, id, name }] : [],
  );

const emptyTitle = (search: TaskSearch) => {
  if (isFiltered(search)) return 'tasks.noMatch';
  return search.after ? 'tasks.noMore' : 'tasks.empty';
};

/** A call searches a limited number of tasks, so others can match although the page is empty. */
const emptyHint = (search: TaskSearch, next: bigint | null) => {
  if (!isFiltered(search)) return 'tasks.emptyHint';
  if (next === null) return 'tasks.noMatchHint';
  return search.order === 'oldest' ? 'tasks.searchOnNewer' : 'tasks.searchOn';
};
