import { Anchor, Badge, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { QueryStates } from '../../shared/query-states.tsx';
import { DeviceDetails } from './device-details.tsx';
import type { DeviceKey } from './find-page.tsx';

/** The connection and the inbox of a device change while an operator looks at them. The names of a user do not. */
const REFRESH_MS = 5_000;

/** The user whose notifications are shown, so that the operator can check that it is the right one. */
export function Recipient({ recipient }: { readonly recipient: DeviceKey }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const owner = useQuery({
    queryKey: [app.app_id, 'recipient', Object.values(recipient).join()],
    queryFn: async () => {
      if ('user_id' in recipient) return { user: await api.admin.user.find(recipient), device: undefined };
      const device = await api.admin.device.get(recipient);
      const { user_id } = device;
      return { user: user_id === null ? null : await api.admin.user.find({ user_id }), device };
    },
    refetchInterval: 'push_token' in recipient && REFRESH_MS,
  });
  return (
    <QueryStates query={owner}>
      {({ user, device }) => (
        <Paper withBorder p="sm" component="section" aria-label={t('users.user')}>
          <Group gap="sm">
            <Badge>{t('push_token' in recipient ? 'find.kinds.device' : 'find.kinds.user')}</Badge>
            {device && <Text size="sm">{device.device_guid}</Text>}
            {user && (
              <Anchor
                size="sm"
                fw={600}
                renderRoot={(props) => (
                  <Link
                    to="/app/$appId/users/$userId"
                    params={{ appId: app.app_id, userId: String(user.user_id) }}
                    {...props}
                  />
                )}
              >
                {user.name ?? t('users.one', { id: String(user.user_id) })}
              </Anchor>
            )}
            {[user?.mobile, user?.email].filter(Boolean).map((name) => (
              <Text key={name} size="sm" c="dimmed">
                {name}
              </Text>
            ))}
          </Group>
          {device && <DeviceDetails device={device} />}
        </Paper>
      )}
    </QueryStates>
  );
}
