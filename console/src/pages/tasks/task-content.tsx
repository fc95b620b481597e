import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseJson, stringifyJson } from '../../../../sdk/src/index.ts';
import { FindLink } from '../../shared/find-link.tsx';
import { useFormat } from '../../shared/format.ts';
import { Section } from '../../shared/page.tsx';
import classes from '../compose/previews.module.css';
import { type Task, TaskAudience } from './task-state.tsx';

/** Number of values that are visible without a click. */
const FIRST_VALUES = 10;

/** The message of a task, and the values of its audience, such as tags. They are shown while they are stored. */
export function TaskContent({ task: { task_id, audience, content } }: { readonly task: Task }) {
  const { t } = useTranslation();
  if (content === null) return null;
  const { message, audience_values, audience_count } = content;
  return (
    <Section title={t('content.title')}>
      {message === null ? <Text size="sm">{t('content.erased')}</Text> : <Message text={message} />}
      {audience_count > 0n && (
        <Values taskId={task_id} kind={audience} values={audience_values} count={audience_count} />
      )}
    </Section>
  );
}

function Message({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const message = parseJson(text) as Readonly<Record<string, unknown>>;
  const { title, body, ...others } = message;
  const isText = typeof title === 'string' || typeof body === 'string';
  return (
    <Stack gap="xs">
      {isText ? (
        <div className={classes.notification}>
          {typeof title === 'string' && (
            <Text fw={600} size="sm" className={classes.text}>
              {title}
            </Text>
          )}
          {typeof body === 'string' && (
            <Text size="sm" className={classes.text}>
              {body}
            </Text>
          )}
        </div>
      ) : (
        <Text size="sm">{t('content.noText')}</Text>
      )}
      {Object.keys(others).length > 0 && (
        <details>
          <summary className={classes.summary}>{t('content.fields', { names: list(Object.keys(others)) })}</summary>
          <Code block tabIndex={0} className={classes.payload}>
            {stringifyJson(message, 2)}
          </Code>
        </details>
      )}
    </Stack>
  );
}

interface ValuesProps {
  readonly taskId: bigint;
  readonly kind: string;
  readonly values: readonly string[];
  /** Also counts values that the API does not return. */
  readonly count: bigint;
}

function Values({ taskId, kind, values, count }: ValuesProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const shown = isOpen ? values : values.slice(0, FIRST_VALUES);
  const hidden = count - BigInt(shown.length);
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        <TaskAudience audience={kind} /> ({number(count)})
      </Text>
      <Group gap={6} component="ul" m={0} p={0} className={classes.values}>
        {shown.map((value) => (
          <Code key={value} component="li" className={classes.text}>
            <Value taskId={taskId} kind={kind} value={value} />
          </Code>
        ))}
      </Group>
      {hidden > 0n && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t('content.more', { count: Number(hidden), number: number(hidden) })}
          </Text>
          {shown.length < values.length && (
            <Anchor component="button" size="sm" onClick={() => setIsOpen(true)}>
              {t('content.showMore', { number: number(values.length) })}
            </Anchor>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** A link to the delivery of the notification to a user or device. A tag has many. */
function Value({ taskId, kind, value }: Pick<ValuesProps, 'taskId' | 'kind'> & { readonly value: string }) {
  const task_id = String(taskId);
  switch (kind) {
    case 'user_id':
      return (
        <FindLink inherit search={{ user_id: value, task_id }}>
          {value}
        </FindLink>
      );
    case 'push_token':
      return (
        <FindLink inherit search={{ push_token: value, task_id }}>
          {value}
        </FindLink>
      );
    case 'alias':
      return (
        <FindLink inherit search={{ text: value }}>
          {value}
        </FindLink>
      );
    default:
      return value;
  }
}
