import { Code, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { parseJson, stringifyJson } from '../../../../sdk/src/index.ts';
import { useFormat } from '../../shared/format.ts';
import { Section } from '../../shared/page.tsx';
import classes from '../compose/previews.module.css';
import { AudienceValues } from './audience-values.tsx';
import type { Task } from './task-state.tsx';

/** The message of a task, and the values of its audience, such as tags. They are shown while they are stored. */
export function TaskContent({ task: { task_id, audience, content } }: { readonly task: Task }) {
  const { t } = useTranslation();
  if (content === null) return null;
  const { message, audience_values, audience_count } = content;
  return (
    <Section title={t('content.title')}>
      {message === null ? <Text size="sm">{t('content.erased')}</Text> : <Message text={message} />}
      {audience_count > 0n && (
        <AudienceValues taskId={task_id} kind={audience} values={audience_values} count={audience_count} />
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
