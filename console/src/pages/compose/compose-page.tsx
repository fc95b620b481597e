import { Button, Grid, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PushNotifyRequest } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { ForRole } from '../../shared/for-role.tsx';
import { isId } from '../../shared/ids.ts';
import { Page, Section } from '../../shared/page.tsx';
import { needsApproval, send, UNDO_SECONDS } from '../../shared/send.ts';
import { sessionQuery } from '../../shared/session.ts';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { AudienceFields } from './audience-fields.tsx';
import classes from './compose-page.module.css';
import { ConfirmSend } from './confirm-send.tsx';
import { useKeptNotification } from './kept-notification.ts';
import { MoreFields } from './more-fields.tsx';
import {
  emptyNotification,
  isBeginPast,
  isComplete,
  isIntent,
  isMessageJson,
  type Notification,
  type Strategy,
  toRequest,
} from './notification.ts';
import { Previews } from './previews.tsx';
import { Reach, useReach } from './reach.tsx';
import { TestSend } from './test-send.tsx';

/** Pause after the last key before the devices are counted again. */
const TYPING_MS = 400;
/** Otherwise, browsers accept years of six digits, which `Date` cannot parse. */
const TIME_MAX = '9999-12-31T23:59';
const strategies: readonly Strategy[] = ['combined', 'nativepush_only', 'ospush_only'];

/** A form that sends a notification, for operators who are allowed to send. */
export function ComposePage() {
  const { t } = useTranslation();
  const { app } = useApp();
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <ForRole needs="sender" title={t('compose.title')}>
      {/* Another operator can sign in in another tab, and must not get this form. */}
      <ComposeForm key={`${session.operator_id} ${app.app_id}`} />
    </ForRole>
  );
}

/** Shows the reach while the operator types, and asks for a confirmation before it sends. */
function ComposeForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { api, app } = useApp();
  const { notification, requestId, testId, change, startNextTest, clear } = useKeptNotification();
  const [asked, setAsked] = useState<PushNotifyRequest>();
  const [isConfirming, confirmation] = useDisclosure();
  const isValid = isValidForm(notification);
  const [counted] = useDebouncedValue(notification, TYPING_MS);
  const reach = useReach(isValidForm(counted) ? toRequest(counted) : null);
  const details = useQuery({ queryKey: [app.app_id, 'app'], queryFn: () => api.admin.app.get() });
  const mustWait = reach.data !== undefined && needsApproval(details.data?.approval_above ?? null, reach.data);
  const sending = useMutation({
    mutationFn: ({ request, note }: { request: PushNotifyRequest; note: string }) => send(api, request, note),
    onSuccess: (taskId) => {
      clear();
      const params = { appId: app.app_id };
      return taskId === null
        ? navigate({ to: '/app/$appId/drafts', params })
        : navigate({ to: '/app/$appId/tasks/$taskId', params: { ...params, taskId: String(taskId) } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSend) return;
    sending.reset();
    setAsked(toRequest(notification, requestId, UNDO_SECONDS));
    confirmation.open();
  };
  // Until the devices of this audience are counted, the reach is that of an earlier one.
  const isCounted = reach.data !== undefined && !reach.isPlaceholderData && !reach.isError;
  const canSend = isValid && isCounted && counted === notification;
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
                  description={t(isBeginPast(notification) ? 'compose.beginPast' : 'compose.beginHint')}
                  max={TIME_MAX}
                  value={notification.begin}
                  onChange={(event) => change({ begin: event.currentTarget.value })}
                />
                <TextInput
                  type="datetime-local"
                  label={t('compose.end')}
                  description={t('compose.endHint')}
                  max={TIME_MAX}
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
                {/* A dialog that is open stays open when the devices are counted again. */}
                {isValid && (
                  <fieldset disabled={!canSend} className={classes.button}>
                    <TestSend notification={notification} testId={testId} startNext={startNextTest} />
                  </fieldset>
                )}
                {isValid && (
                  <ShowAsCode
                    call={{
                      path: mustWait ? '/push/draft/create' : '/push/notify',
                      request: toRequest(notification, requestId, UNDO_SECONDS),
                    }}
                  />
                )}
                {notification !== emptyNotification && (
                  <Button variant="subtle" color="gray" c="inherit" px="xs" onClick={clear}>
                    {t('compose.clear')}
                  </Button>
                )}
              </Group>
            </Stack>
          </Grid.Col>
        </Grid>
      </form>
      {isValid && <Previews reach={reach.data} />}
      {asked && reach.data && (
        <ConfirmSend
          opened={isConfirming}
          request={asked}
          devices={reach.data.devices}
          needsApproval={mustWait}
          error={sending.error}
          isSending={sending.isPending}
          send={(note) => sending.mutate({ request: asked, note })}
          close={confirmation.close}
        />
      )}
    </Page>
  );
}

const isValidForm = (notification: Notification): boolean =>
  isComplete(notification) &&
  isMessageJson(notification.more) &&
  isIntent(notification.intent) &&
  (notification.audienceKind !== 'user_id' || notification.values.every(isId));
