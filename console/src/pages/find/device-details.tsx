import { Badge, Group, List, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminDeviceGetResponse } from '../../../../sdk/src/index.ts';
import { FindLink } from '../../shared/find-link.tsx';
import { useFormat } from '../../shared/format.ts';

/** The connection of a device, its badge, and the notifications that wait in its inbox. */
export function DeviceDetails({ device }: { readonly device: AdminDeviceGetResponse }) {
  const { t } = useTranslation();
  const { ago, day, number, time } = useFormat();
  const { session, badge, inbox, seen_on, push_token } = device;
  return (
    <Stack gap="xs" mt="sm">
      <Group gap="sm">
        <Badge color={session ? 'green' : 'gray'}>{t(session ? 'users.online' : 'users.offline')}</Badge>
        <Text size="sm">
          {session
            ? t('find.connected', { gateway: session.gateway, time: ago(session.connected_at) })
            : t('find.lastSeen', { day: day(seen_on) })}
        </Text>
        <Text size="sm">{t('find.badge', { number: number(badge) })}</Text>
        <Text size="sm">{t('find.inbox', { count: inbox.length, number: number(inbox.length) })}</Text>
      </Group>
      {inbox.length > 0 && (
        <List size="sm" spacing={4}>
          {inbox.map(({ task_id, title, expire }) => (
            <List.Item key={String(task_id)}>
              <FindLink inherit search={{ push_token, task_id: String(task_id) }}>
                {title ?? t('tasks.untitled')}
              </FindLink>{' '}
              <Text span inherit c="dimmed">
                {t('find.inboxUntil', { time: time(expire) })}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
