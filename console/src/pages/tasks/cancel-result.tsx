import { useTranslation } from 'react-i18next';
import type { PushTaskCancelResponse } from '../../../../sdk/src/index.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';

/** Says whether a task was cancelled in time, and how many notifications were sent before. */
export function CancelResult({ finished, sent }: PushTaskCancelResponse) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <Notice color={finished ? 'yellow' : 'green'} role="status">
      {finished ? t('task.tooLate') : t('task.cancelled', { sent: number(sent) })}
    </Notice>
  );
}
