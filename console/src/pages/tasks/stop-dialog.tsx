import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PushTaskCancelRequest, PushTaskCancelResponse } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { CodeDetails } from '../../shared/show-as-code.tsx';

interface StopDialogProps {
  readonly request: PushTaskCancelRequest;
  readonly label: string;
  readonly title: string;
  /** The title of the error. */
  readonly failed: string;
  /** Hides the button. The dialog stays, because it reports the result. */
  readonly isHidden?: boolean;
  readonly result: (response: PushTaskCancelResponse) => ReactNode;
  /** Explains what will happen. */
  readonly children: ReactNode;
}

/** A button that cancels or recalls a task after a confirmation, and reports the result. */
export function StopDialog({ request, label, title, failed, isHidden = false, result, children }: StopDialogProps) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const stop = useMutation({
    mutationFn: () => api.push.task.cancel(request),
    onSettled: () => queries.invalidateQueries({ queryKey: [app.app_id] }),
  });
  return (
    <>
      {!isHidden && (
        <Button variant="outline" color="red" onClick={open}>
          {label}
        </Button>
      )}
      <Dialog opened={opened} close={close} title={title}>
        <Stack>
          {stop.error && <ErrorState error={stop.error} title={failed} />}
          {stop.data ? (
            result(stop.data)
          ) : (
            <>
              {children}
              <CodeDetails call={{ path: '/push/task/cancel', request }} />
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common.close')}
            </Button>
            {!stop.data && (
              <Button color="red" loading={stop.isPending} onClick={() => stop.mutate()}>
                {label}
              </Button>
            )}
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
