import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FindLink } from '../../shared/find-link.tsx';
import { useFormat } from '../../shared/format.ts';
import classes from '../compose/previews.module.css';
import { TaskAudience } from './task-state.tsx';

/** Number of values that are visible without a click. */
const FIRST_VALUES = 10;

interface ValuesProps {
  /** Missing for a draft, of which nothing was sent. */
  readonly taskId?: bigint;
  readonly kind: string;
  readonly values: readonly string[];
  /** Also counts values that the API does not return. */
  readonly count: bigint;
}

/** The values of an audience, such as tags, and their number. */
export function AudienceValues({ taskId, kind, values, count }: ValuesProps) {
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
            <Value kind={kind} value={value} {...(taskId !== undefined && { task: { task_id: String(taskId) } })} />
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

interface ValueProps {
  readonly task?: { readonly task_id: string };
  readonly kind: string;
  readonly value: string;
}

/** A link to the delivery of the notification to a user or device. A tag has many. */
function Value({ task, kind, value }: ValueProps) {
  switch (kind) {
    case 'user_id':
      return (
        <FindLink inherit search={{ user_id: value, ...task }}>
          {value}
        </FindLink>
      );
    case 'push_token':
      return (
        <FindLink inherit search={{ push_token: value, ...task }}>
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
