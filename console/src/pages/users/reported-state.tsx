import { Badge, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../../sdk/src/index.ts';
import { channelOf } from '../../shared/channels.ts';
import { useFormat } from '../../shared/format.ts';

/** The state that the app on a device reported last. Vendors that have issued a vendor token since are left out. */
export function ReportedState({ device }: { readonly device: Device }) {
  const { t } = useTranslation();
  const { ago, time } = useFormat();
  const { state, bindings } = device;
  if (state === null) return null;
  const { client, notifications, vendor_errors, reported_at } = state;
  const missing = vendor_errors.filter(({ provider }) => !bindings.some((binding) => binding.provider === provider));
  return (
    <Stack gap={4} mt={4}>
      {notifications !== null && (
        <Group gap={4}>
          <Badge color={notifications === 'denied' ? 'red' : 'gray'}>
            {t(notifications === 'denied' ? 'users.denied' : 'users.allowed')}
          </Badge>
        </Group>
      )}
      {missing.map(({ provider, error }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a vendor can occur twice, and the list is replaced as a whole
        <Text key={i} size="xs" lineClamp={3} title={error} style={{ overflowWrap: 'anywhere' }}>
          {t('users.noToken', { channel: t(`channel.${channelOf(provider)}`), error })}
        </Text>
      ))}
      <Text size="xs" c="dimmed" title={time(reported_at)}>
        {client === null
          ? t('users.reported', { time: ago(reported_at) })
          : t('users.reportedBy', { time: ago(reported_at), client })}
      </Text>
    </Stack>
  );
}
