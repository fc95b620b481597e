import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../shared/dialog.tsx';
import { useFormat } from '../../shared/format.ts';
import { ErrorState } from '../../shared/query-states.tsx';
import type { Notification } from './notification.ts';

/** Above this number of devices, the operator types the number, so that a large send needs more than one click. */
const TYPED_DEVICES_MIN = 1_000n;

interface ConfirmSendProps {
  readonly opened: boolean;
  readonly notification: Notification;
  readonly devices: bigint;
  readonly error: unknown;
  readonly isSending: boolean;
  readonly send: () => void;
  readonly close: () => void;
}

/** Shows what is sent to how many devices, and sends it. */
export function ConfirmSend({ opened, ...props }: ConfirmSendProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { devices, close } = props;
  return (
    <Dialog
      opened={opened}
      close={close}
      title={devices === 1n ? t('compose.confirmTitleOne') : t('compose.confirmTitle', { number: number(devices) })}
    >
      <Confirmation {...props} />
    </Dialog>
  );
}

function Confirmation({ notification, devices, error, isSending, send, close }: Omit<ConfirmSendProps, 'opened'>) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const isConfirmed = devices < TYPED_DEVICES_MIN || typed.replace(/\D/g, '') === String(devices);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed && !isSending) send();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {error !== null && <ErrorState error={error} title={t('compose.rejected')} />}
        <Paper withBorder p="sm">
          <Text fw={600}>{notification.title}</Text>
          <Text size="sm" lineClamp={6}>
            {notification.body}
          </Text>
        </Paper>
        <Text size="sm">{t('compose.confirmText')}</Text>
        {devices >= TYPED_DEVICES_MIN && (
          <TextInput
            label={t('compose.confirmType', { number: String(devices) })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            inputMode="numeric"
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending} disabled={!isConfirmed}>
            {t('compose.confirmSend')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
