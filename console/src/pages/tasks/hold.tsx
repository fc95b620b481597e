import { Button, Group, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import type { Task } from './task-state.tsx';

/** A task that starts later than this is scheduled, and shows its time instead of the seconds. */
const COUNTDOWN_SECONDS_MAX = 60;

/** Counts down to the start of sending. One click undoes the task, because nothing has been sent. */
export function Hold({ task: { task_id, due_at } }: { readonly task: Task }) {
  const { t } = useTranslation();
  const { number, time } = useFormat();
  const { api, app, can } = useApp();
  const queries = useQueryClient();
  const [nowMs, setNowMs] = useState(Date.now);
  useInterval(() => setNowMs(Date.now()), 1_000, { autoInvoke: true });
  const cancellation = useMutation({
    mutationFn: () => api.push.task.cancel({ task_id }),
    onSettled: () => queries.invalidateQueries({ queryKey: [app.app_id] }),
  });
  const seconds = Math.max(0, Math.ceil((Number(due_at) - nowMs) / 1_000));
  return (
    <>
      {cancellation.error && <ErrorState error={cancellation.error} title={t('undo.failed')} />}
      <Notice color="blue">
        <Group justify="space-between">
          <Text size="sm" role="timer">
            {seconds > COUNTDOWN_SECONDS_MAX
              ? t('undo.scheduled', { time: time(due_at) })
              : t('undo.held', { count: seconds, number: number(seconds) })}
          </Text>
          {can('sender') && seconds <= COUNTDOWN_SECONDS_MAX && (
            <Button loading={cancellation.isPending} onClick={() => cancellation.mutate()}>
              {t('undo.undo')}
            </Button>
          )}
        </Group>
      </Notice>
    </>
  );
}
