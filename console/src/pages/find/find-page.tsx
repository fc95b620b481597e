import { Button, Group, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useAddressValues } from '../../shared/address-values.ts';
import { useApp } from '../../shared/api.ts';
import type { ApiCall } from '../../shared/code-samples.ts';
import { Page } from '../../shared/page.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { Matches } from './matches.tsx';
import { Notifications } from './notifications.tsx';
import { Recipient } from './recipient.tsx';
import { Trace } from './trace.tsx';

/**
 * Explains why a notification did not arrive: any ID leads to a user or device, its notifications, and the timeline of
 * one of them. The address contains every step, so that it can be pasted into a ticket.
 */
export function FindPage() {
  const { t } = useTranslation();
  const { text, user_id, push_token, task_id } = useSearch({ from: '/app/$appId/find' });
  const user = user_id === undefined ? undefined : { user_id: BigInt(user_id) };
  const device = push_token === undefined ? undefined : { push_token };
  // The list shows all devices of a user. The timeline shows the selected one.
  const recipient = user ?? device;
  const traced = device ?? user;
  const call = callOf(
    text,
    recipient,
    traced && task_id !== undefined ? { task_id: BigInt(task_id), ...traced } : undefined,
  );
  return (
    <Page title={t('find.title')} description={t('find.description')} actions={call && <ShowAsCode call={call} />}>
      <SearchField text={text ?? ''} />
      {text === undefined && !recipient && <EmptyState title={t('find.start')} hint={t('find.startHint')} />}
      {text !== undefined && !recipient && <Matches text={text} />}
      {recipient && <Recipient recipient={recipient} />}
      {traced && task_id !== undefined && <Trace device={traced} taskId={BigInt(task_id)} />}
      {/* Another recipient must not show the notifications of the previous one while its own are loaded. */}
      {recipient && <Notifications key={Object.values(recipient).join()} device={recipient} />}
    </Page>
  );
}

/** Returns the call of the last step: the search, the list of a recipient, or the timeline of a notification. */
function callOf(
  text?: string,
  recipient?: DeviceKey,
  traced?: DeviceKey & { readonly task_id: bigint },
): ApiCall | undefined {
  if (traced) return { path: '/push/task/trace', request: traced };
  if (recipient) return { path: '/admin/device/notifications', request: recipient };
  return text === undefined ? undefined : { path: '/admin/lookup', request: { text } };
}

/** A user or a device, as the API accepts it. */
export type DeviceKey = { readonly user_id: bigint } | { readonly push_token: string };

function SearchField({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const { app } = useApp();
  const navigate = useNavigate();
  const [value, setValue] = useAddressValues(text);
  const search = () => {
    const trimmed = value.trim();
    if (trimmed !== '')
      void navigate({ to: '/app/$appId/find', params: { appId: app.app_id }, search: { text: trimmed } });
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <Group gap="sm" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t('find.field')}
            placeholder={t('find.placeholder')}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            autoFocus={text === ''}
          />
          <Button type="submit">{t('find.search')}</Button>
        </Group>
      </form>
    </search>
  );
}
