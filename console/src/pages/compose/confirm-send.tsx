import { Button, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PushNotifyRequest } from '../../../../sdk/src/index.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { useFormat } from '../../shared/format.ts';
import { ErrorState } from '../../shared/query-states.tsx';
import { isOutcomeUnknown } from '../../shared/send.ts';
import type { AudienceKind } from './notification.ts';

/** At most 1,000 characters, as the service accepts. */
const NOTE_CHARACTERS_MAX = 1_000;

/** Above this number of devices, the operator types the number, so that a large send needs more than one click. */
const TYPED_DEVICES_MIN = 1_000n;

interface ConfirmSendProps {
  readonly opened: boolean;
  readonly request: PushNotifyRequest;
  readonly devices: bigint;
  readonly needsApproval: boolean;
  readonly error: unknown;
  readonly isSending: boolean;
  readonly send: (note: string) => void;
  readonly close: () => void;
}

/** Shows what is sent to how many devices, and sends it. */
export function ConfirmSend({ opened, ...props }: ConfirmSendProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { devices, isSending, close } = props;
  return (
    <Dialog
      opened={opened}
      // Closing the dialog would not stop a running call, and its error would not be shown.
      close={() => !isSending && close()}
      title={devices === 1n ? t('compose.confirmTitleOne') : t('compose.confirmTitle', { number: number(devices) })}
    >
      <Confirmation {...props} />
    </Dialog>
  );
}

function Confirmation({
  request,
  devices,
  needsApproval,
  error,
  isSending,
  send,
  close,
}: Omit<ConfirmSendProps, 'opened'>) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState('');
  const isConfirmed = devices < TYPED_DEVICES_MIN || typed.replace(/\D/g, '') === String(devices);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed && !isSending) send(note.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {error !== null && (
          <ErrorState
            error={error}
            {...(isOutcomeUnknown(error)
              ? { title: t('compose.outcomeUnknown'), hint: t('compose.sendAgain') }
              : { title: t('compose.notSent') })}
          />
        )}
        <RequestSummary request={request} needsApproval={needsApproval} />
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
        {needsApproval && (
          <Textarea
            label={t('compose.note')}
            description={t('compose.noteHint')}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={NOTE_CHARACTERS_MAX}
            autosize
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={isSending}>
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

/** The message, the audience and the start time as they are sent, because JSON can replace fields of the form. */
function RequestSummary({
  request: { audience, message },
  needsApproval,
}: Pick<ConfirmSendProps, 'request' | 'needsApproval'>) {
  const { t } = useTranslation();
  const { list, time } = useFormat();
  const startMs = Number(message.show_begin_time ?? 0) * 1000;
  const [[kind, values] = ['all', []]] = Object.entries(audience === 'all' ? {} : audience);
  const name = t(`tasks.audiences.${kind as AudienceKind}`);
  return (
    <>
      <Paper withBorder p="sm">
        <Text fw={600}>{message.title}</Text>
        <Text size="sm" lineClamp={6}>
          {message.body || message.big_text}
        </Text>
        {message.type === 'cmd' && (
          <Text size="sm" c="dimmed">
            {t('compose.dataOnly')}
          </Text>
        )}
      </Paper>
      <Text size="sm" lineClamp={4}>
        {kind === 'all'
          ? t('compose.confirmAudience', { name })
          : t('compose.confirmValues', { name, values: list(values.map(String)) })}
      </Text>
      {(startMs > Date.now() || !needsApproval) && (
        <Text size="sm">
          {startMs > Date.now() ? t('compose.confirmStart', { time: time(startMs) }) : t('compose.confirmNow')}
        </Text>
      )}
    </>
  );
}
