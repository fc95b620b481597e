import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PushTaskListResponse } from '../../../../sdk/src/index.ts';

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
