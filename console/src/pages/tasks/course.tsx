import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/format.ts';
import { serverNow } from '../../shared/server-clock.ts';
import classes from './course.module.css';
import type { Task } from './task-state.tsx';

/** When a task was accepted, when its sending starts, and when it ends. Steps in the past are filled. */
export function Course({ task: { accepted_at, due_at, end_at, cancelled_at, state } }: { readonly task: Task }) {
  const { t } = useTranslation();
  const { time, ago } = useFormat();
  const isPast = (ms: bigint) => Number(ms) <= serverNow();
  // The clocks of the browser and the server can differ.
  const isStarted = isPast(due_at) && state !== 'held';
  const started = { name: t(isStarted ? 'task.started' : 'task.due'), at: due_at, isDone: isStarted };
  const ended = { name: t(isPast(end_at) ? 'task.ended' : 'task.end'), at: end_at, isDone: isPast(end_at) };
  // A task that was cancelled earlier never starts.
  const course = cancelled_at === null || due_at < cancelled_at ? [started] : [];
  const end = cancelled_at === null ? ended : { name: t('task.cancelledAt'), at: cancelled_at, isDone: true };
  const steps = [{ name: t('task.accepted'), at: accepted_at, isDone: true }, ...course, end];
  return (
    <ol className={classes.course} aria-label={t('task.course')}>
      {steps.map(({ name, at, isDone }) => (
        <li key={name} className={classes.step} data-done={isDone || undefined}>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {time(at)} · {ago(at)}
          </Text>
        </li>
      ))}
    </ol>
  );
}
