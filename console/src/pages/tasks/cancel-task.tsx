import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { CodeDetails } from '../../shared/show-as-code.tsx';

interface CancelTaskProps {
  readonly taskId: string;
  /** Hides the button of a task that has ended. The dialog stays, because it reports the result. */
  readonly isOpen: boolean;
}

/** A button that cancels a task after a confirmation, and reports what was already sent. */
export function CancelTask({ taskId, isOpen }: CancelTaskProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { api, app } = useApp();
  const queryClient = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [recall, setRecall] = useState(false);
  const request = { task_id: BigInt(taskId), recall };
  const cancellation = useMutation({
    mutationFn: () => api.push.task.cancel(request),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [app.app_id] }),
  });
  const result = cancellation.data;
  return (
    <>
      {isOpen && (
        <Button variant="outline" color="red" onClick={open}>
          {t('task.cancel')}
        </Button>
      )}
      <Modal
        opened={opened}
        onClose={close}
        title={t('task.cancelTitle')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Stack>
          {cancellation.isError && <ErrorState error={cancellation.error} title={t('task.cancel')} />}
          {result && (
            <Notice color={result.finished ? 'yellow' : 'green'} role="status">
              {result.finished ? t('task.tooLate') : t('task.cancelled', { sent: number(result.sent) })}
            </Notice>
          )}
          {!result && (
            <>
              <Text size="sm">{t('task.cancelText')}</Text>
              <Checkbox
                label={t('task.recall')}
                checked={recall}
                onChange={(event) => setRecall(event.currentTarget.checked)}
              />
              <CodeDetails call={{ path: '/push/task/cancel', request }} />
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common.close')}
            </Button>
            {!result && (
              <Button color="red" loading={cancellation.isPending} onClick={() => cancellation.mutate()}>
                {t('task.cancel')}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
