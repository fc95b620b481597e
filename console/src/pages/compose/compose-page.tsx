import { Button, Grid, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { Notice } from '../../shared/notice.tsx';
import { Page, Section } from '../../shared/page.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { AudienceFields } from './audience-fields.tsx';
import { ConfirmSend } from './confirm-send.tsx';
import { MoreFields } from './more-fields.tsx';
import {
  emptyNotification,
  isComplete,
  isMessageJson,
  isUserId,
  type Notification,
  newRequestId,
  type Strategy,
  toRequest,
} from './notification.ts';
import { Previews } from './previews.tsx';
import { Reach, useReach } from './reach.tsx';
import { send } from './send.ts';
import { TestSend } from './test-send.tsx';

/** Pause after the last key before the devices are counted again. */
const TYPING_MS = 400;
/** Time in which the operator can cancel the task before anything is sent. */
const UNDO_SECONDS = 30;
const strategies: readonly Strategy[] = ['combined', 'nativepush_only', 'ospush_only'];

/** A form that sends a notification, for operators who are allowed to send. */
export function ComposePage() {
  const { t } = useTranslation();
  const { can } = useApp();
  if (can('sender')) return <ComposeForm />;
  return (
    <Page title={t('compose.title')}>
      <Notice color="yellow">{t('common.noPermission')}</Notice>
    </Page>
  );
}

/** Shows the reach while the operator types, and asks for a confirmation before it sends. */
function ComposeForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { api, app } = useApp();
  const [notification, setNotification] = useState(emptyNotification);
  // The same key for every attempt: a double click or a retry sends the notification once.
  const [requestId] = useState(newRequestId);
  const [isConfirming, confirmation] = useDisclosure();
  const change = (fields: Partial<Notification>) => setNotification((current) => ({ ...current, ...fields }));
  const isValid = isValidForm(notification);
  const [counted] = useDebouncedValue(notification, TYPING_MS);
  const reach = useReach(isValidForm(counted) ? toRequest(counted) : null);
  const sending = useMutation({
    mutationFn: () => send(api, toRequest(notification, requestId, UNDO_SECONDS)),
    onSuccess: (taskId) => {
      const params = { appId: app.app_id };
      return taskId === null
        ? navigate({ to: '/app/$appId/drafts', params })
        : navigate({ to: '/app/$appId/tasks/$taskId', params: { ...params, taskId: String(taskId) } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSend) confirmation.open();
  };
  const canSend = isValid && reach.data !== undefined && !reach.isError && counted === notification;
  return (
    <Page title={t('compose.title')} description={t('compose.description')}>
      <form onSubmit={submit}>
        <Grid>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Stack>
              <Section title={t('compose.audience')}>
                <AudienceFields notification={notification} change={change} />
              </Section>
              <Section title={t('compose.message')}>
                <TextInput
                  label={t('compose.titleField')}
                  value={notification.title}
                  onChange={(event) => change({ title: event.currentTarget.value })}
                />
                <Textarea
                  label={t('compose.body')}
                  value={notification.body}
                  onChange={(event) => change({ body: event.currentTarget.value })}
                  autosize
                  minRows={3}
                />
                <MoreFields notification={notification} change={change} />
              </Section>
              <Section title={t('compose.delivery')}>
                <Select
                  label={t('compose.strategy')}
                  data={strategies.map((value) => ({ value, label: t(`compose.strategies.${value}`) }))}
                  value={notification.strategy}
                  onChange={(strategy) => strategy && change({ strategy: strategy as Strategy })}
                  allowDeselect={false}
                />
                <TextInput
                  type="datetime-local"
                  label={t('compose.begin')}
                  description={t('compose.beginHint')}
                  value={notification.begin}
                  onChange={(event) => change({ begin: event.currentTarget.value })}
                />
                <TextInput
                  type="datetime-local"
                  label={t('compose.end')}
                  description={t('compose.endHint')}
                  value={notification.end}
                  onChange={(event) => change({ end: event.currentTarget.value })}
                />
              </Section>
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack>
              <Reach isComplete={isValid} reach={reach} />
              <Group>
                <Button type="submit" disabled={!canSend}>
                  {t('compose.send')}
                </Button>
                {canSend && <TestSend notification={notification} />}
                {isValid && (
                  <ShowAsCode
                    call={{ path: '/push/notify', request: toRequest(notification, requestId, UNDO_SECONDS) }}
                  />
                )}
              </Group>
            </Stack>
          </Grid.Col>
        </Grid>
      </form>
      {isValid && <Previews reach={reach.data} />}
      {isConfirming && reach.data && (
        <ConfirmSend
          notification={notification}
          devices={reach.data.devices}
          error={sending.error}
          isSending={sending.isPending}
          send={() => sending.mutate()}
          close={confirmation.close}
        />
      )}
    </Page>
  );
}

const isValidForm = (notification: Notification): boolean =>
  isComplete(notification) &&
  isMessageJson(notification.more) &&
  (notification.audienceKind !== 'user_id' || notification.values.every(isUserId));
