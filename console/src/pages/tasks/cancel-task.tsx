import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CancelResult } from './cancel-result.tsx';
import { StartedRecall } from './recall.tsx';
import { StopDialog } from './stop-dialog.tsx';

interface CancelTaskProps {
  readonly taskId: string;
  /** Hides the button of a task that has ended. */
  readonly isOpen: boolean;
}

/** A button that cancels a task after a confirmation, and reports what was already sent. */
export function CancelTask({ taskId, isOpen }: CancelTaskProps) {
  const { t } = useTranslation();
  const [recall, setRecall] = useState(false);
  return (
    <StopDialog
      request={{ task_id: BigInt(taskId), recall }}
      label={t('task.cancel')}
      title={t('task.cancelTitle')}
      failed={t('undo.failed')}
      isHidden={!isOpen}
      result={(response) => (
        <>
          <CancelResult {...response} />
          {response.recall && <StartedRecall channels={response.recall} />}
        </>
      )}
    >
      <Text size="sm">{t('task.cancelText')}</Text>
      <Checkbox
        label={t('task.recall')}
        checked={recall}
        onChange={(event) => setRecall(event.currentTarget.checked)}
      />
    </StopDialog>
  );
}
