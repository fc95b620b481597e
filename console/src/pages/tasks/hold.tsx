import { Button, Group, Text } from '@mantine/core';
import { useForceUpdate, useInterval } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { serverNow } from '../../shared/server-clock.ts';
import { CodeDetails } from '../../shared/show-as-code.tsx';
import { CancelResult } from './cancel-result.tsx';
import type { Task } from './task-state.tsx';

/** A later start is scheduled. A hold lasts at most 300 seconds, and the clocks of the servers can differ slightly. */
const HOLD_MS_MAX = 310_000n;

/** Before a task starts: the remaining seconds of a hold with a button that cancels it, or the scheduled time. */
export function Hold({ task: { task_id, state, accepted_at, due_at } }: { readonly task: Task }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const { api, app, can } = useApp();
  const queries = useQueryClient();
  const cancellation = useMutation({
    mutationFn: () => api.push.task.cancel({ task_id }),
    onSettled: () => queries.invalidateQueries({ queryKey: [app.app_id] }),
  });
  return (
    <>
      {cancellation.error && <ErrorState error={cancellation.error} title={t('undo.failed')} />}
      {cancellation.data && <CancelResult {...cancellation.data} />}
      {state === 'held' && (
        <Notice color="blue">
          {due_at - accepted_at > HOLD_MS_MAX ? (
            t('undo.scheduled', { time: time(due_at) })
          ) : (
            <>
              <Group justify="space-between">
                <Countdown dueMs={Number(due_at)} />
                {can('sender') && (
                  <Button loading={cancellation.isPending} onClick={() => cancellation.mutate()}>
                    {t('undo.undo')}
                  </Button>
                )}
              </Group>
              {can('sender') && <CodeDetails call={{ path: '/push/task/cancel', request: { task_id } }} />}
            </>
          )}
        </Notice>
      )}
    </>
  );
}

/** The seconds until sending starts. */
function Countdown({ dueMs }: { readonly dueMs: number }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const update = useForceUpdate();
  useInterval(update, 1_000, { autoInvoke: true });
  const seconds = Math.max(0, Math.ceil((dueMs - serverNow()) / 1_000));
  return (
    <Text size="sm" role="timer">
      {t('undo.held', { count: seconds, number: number(seconds) })}
    </Text>
  );
}
