import { Badge, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Binding, Device } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { channelOf, environmentOf } from '../../shared/channels.ts';
import { FindLink } from '../../shared/find-link.tsx';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';
import { DeviceActions } from './device-actions.tsx';
import { ReportedState } from './reported-state.tsx';

/** At most this many devices are shown, because a page of the list has at most this many. */
const DEVICES_MAX = 500;

/** The devices of a user with their channels, tags and connection. */
export function Devices({ userId }: { readonly userId: bigint }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { api, app } = useApp();
  const devices = useQuery({
    queryKey: [app.app_id, 'devices', String(userId)],
    queryFn: () => api.admin.device.find({ user_id: userId, limit: DEVICES_MAX }),
  });
  return (
    <QueryStates query={devices}>
      {({ list, incomplete, next }) => (
        <>
          {incomplete && <Notice color="yellow">{t('find.incomplete')}</Notice>}
          {next !== null && <Notice color="blue">{t('users.firstDevices', { number: number(list.length) })}</Notice>}
          {list.length === 0 && !incomplete && (
            <EmptyState title={t('users.noDevices')} hint={t('users.noDevicesHint')} />
          )}
          {list.length > 0 && <DevicesTable devices={list} />}
        </>
      )}
    </QueryStates>
  );
}

/** Device IDs of SDKs have 32 characters without a place for a line break. */
const anywhere = { overflowWrap: 'anywhere' } as const;

function DevicesTable({ devices }: { readonly devices: readonly Device[] }) {
  const { t } = useTranslation();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('users.device')}</Table.Th>
          <Table.Th>{t('users.bindings')}</Table.Th>
          <Table.Th visibleFrom="md">{t('users.tags')}</Table.Th>
          <Table.Th visibleFrom="sm" ta="right">
            {t('users.seen')}
          </Table.Th>
          <Table.Th />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {devices.map((device) => (
          <DeviceRow key={device.push_token} device={device} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function DeviceRow({ device }: { readonly device: Device }) {
  const { t } = useTranslation();
  const { day } = useFormat();
  const { push_token, device_guid, alias, tags, bindings, online, seen_on } = device;
  return (
    <Table.Tr>
      <Table.Td maw={330}>
        <FindLink size="sm" fw={500} search={{ push_token }} style={anywhere}>
          {device_guid}
        </FindLink>
        {alias !== null && (
          <Text size="xs" c="dimmed" style={anywhere}>
            {alias}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          <Badge color={online ? 'green' : 'gray'}>{t(online ? 'users.online' : 'users.offline')}</Badge>
        </Group>
        {bindings.map((binding) => (
          <BindingItem key={`${binding.provider} ${binding.environment}`} binding={binding} />
        ))}
        <ReportedState device={device} />
      </Table.Td>
      <Table.Td visibleFrom="md">{tags.join(', ')}</Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {day(seen_on)}
      </Table.Td>
      <Table.Td ta="right">
        <DeviceActions device={device} />
      </Table.Td>
    </Table.Tr>
  );
}

/** A vendor token of the device, and when it was bound. */
function BindingItem({ binding: { provider, environment, bound_at } }: { readonly binding: Binding }) {
  const { t } = useTranslation();
  const { ago, time } = useFormat();
  return (
    <Group gap={4} mt={4}>
      <Badge color="blue">{t(`channel.${channelOf(provider)}`)}</Badge>
      {environment === 0 && <Badge color="gray">{t(`common.environments.${environmentOf(environment)}`)}</Badge>}
      <Text size="xs" c="dimmed" title={time(bound_at)}>
        {t('users.bound', { time: ago(bound_at) })}
      </Text>
    </Group>
  );
}
