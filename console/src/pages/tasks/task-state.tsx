import { Badge } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PushTaskListResponse } from '../../../../sdk/src/index.ts';
import { sessionQuery } from '../../shared/session.ts';

export type Task = PushTaskListResponse['list'][number];

const colors = { held: 'blue', sending: 'yellow', finished: 'green', cancelled: 'gray' } as const;

export function TaskState({ state }: Pick<Task, 'state'>) {
  const { t } = useTranslation();
  return <Badge color={colors[state]}>{t(`tasks.states.${state}`)}</Badge>;
}

export function TaskAudience({ audience }: Pick<Task, 'audience'>) {
  const { t } = useTranslation();
  return t(`tasks.audiences.${audience as 'all'}`);
}

/** The creator of a task: an operator, a program with an admin token, an admin of a group, or a user. */
export function TaskAuthor({
  author,
  token_kind,
  token_id,
  token_name,
}: Pick<Task, 'author' | 'token_kind' | 'token_id' | 'token_name'>) {
  const { t } = useTranslation();
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (token_kind === 'operator')
    return token_id === session.operator_id ? t('tasks.authors.you') : (token_name ?? t('tasks.authors.operator'));
  const [kind, id] = author.split(':');
  if (kind === 'group' || kind === 'user') return t(`tasks.authors.${kind}`, { id });
  if (kind === 'erased') return t('tasks.authors.erased');
  return token_kind === 'admin' && token_id !== null
    ? (token_name ?? t('tasks.authors.admin', { id: String(token_id) }))
    : t('tasks.authors.backend');
}
