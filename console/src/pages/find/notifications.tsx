import { Badge, Group, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AdminDeviceNotificationsResponse } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import type { ChannelName } from '../../shared/channels.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Explanation } from '../../shared/explanation.tsx';
import { FindLink } from '../../shared/find-link.tsx';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { Section } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { serverNow } from '../../shared/server-clock.ts';
import classes from './find.module.css';
import type { DeviceKey } from './find-page.tsx';
import { notificationsRefreshMs } from './refresh.ts';

type Notification = AdminDeviceNotificationsResponse['list'][number];

export const stateColors = {
  acknowledged: 'green',
  sent: 'blue',
  open: 'yellow',
  ended: 'red',
  outside: 'gray',
} as const;

/** The notifications of a user or device, latest first, each with the reason of its state. */
export function Notifications({ device }: { readonly device: DeviceKey }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const { after } = useSearch({ from: '/app/$appId/find' });
  const notifications = useQuery({
    queryKey: [app.app_id, 'notifications', Object.values(device).join(), after ?? null],
    queryFn: () => api.admin.device.notifications({ ...device, ...(after !== undefined && { after: BigInt(after) }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data ? notificationsRefreshMs(data.list, after === undefined, serverNow()) : false,
  });
  return (
    <Section title={t('find.notifications')} hint={t('find.notificationsHint')} flush>
      {notifications.data?.incomplete && (
        <Notice color="yellow" mx="md">
          {t('find.incomplete')}
        </Notice>
      )}
      <PagedList
        query={notifications}
        order="newest"
        frame="section"
        empty={({ next, why }) => (
          <EmptyState
            title={t('find.noNotifications')}
            hint={why ?? t(next === null ? 'find.noneSent' : 'find.searchOn')}
          />
        )}
      >
        {({ list }) => <NotificationTable list={list} />}
      </PagedList>
    </Section>
  );
}

function NotificationTable({ list }: { readonly list: readonly Notification[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      highlightOnHover
      head={
        <>
          <Table.Th w={{ md: '30%' }}>{t('tasks.notification')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('tasks.state')}</Table.Th>
          <Table.Th visibleFrom="md">{t('find.why')}</Table.Th>
        </>
      }
    >
      {list.map((notification) => (
        <NotificationRow key={`${notification.task_id} ${notification.device_guid}`} notification={notification} />
      ))}
    </DataTable>
  );
}

function NotificationRow({ notification }: { readonly notification: Notification }) {
  const { t } = useTranslation();
  const { ago, time } = useFormat();
  const search = useSearch({ from: '/app/$appId/find' });
  const { task_id, title, accepted_at, device_guid, push_token, why } = notification;
  const isSelected =
    search.task_id === String(task_id) && (search.push_token === undefined || search.push_token === push_token);
  // A device on which no user is logged in is traced by its user.
  const { push_token: _previous, ...found } = search;
  const selected = { ...found, task_id: String(task_id), ...(push_token !== null && { push_token }) };
  return (
    <Table.Tr {...(isSelected && { bg: 'var(--console-raised)', 'aria-current': true })}>
      <Table.Td>
        <FindLink fw={500} size="sm" lineClamp={2} search={selected}>
          {title ?? t('tasks.untitled')}
        </FindLink>
        <Text size="xs" c="dimmed" title={time(accepted_at)}>
          {ago(accepted_at)} · {device_guid}
        </Text>
        <Group gap="xs" hiddenFrom="sm" mt={4}>
          <State notification={notification} />
        </Group>
        <Text size="sm" hiddenFrom="md" mt={4} className={classes.text}>
          <Explanation text={why} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <State notification={notification} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm" className={classes.text}>
          <Explanation text={why} />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function State({ notification: { state, channel } }: { readonly notification: Notification }) {
  const { t } = useTranslation();
  return (
    <>
      <Badge color={stateColors[state]}>{t(`find.states.${state}`)}</Badge>
      <Text size="xs" c="dimmed">
        {channel === 'none' ? t('find.noChannel') : t(`channel.${channel as ChannelName}`)}
      </Text>
    </>
  );
}
