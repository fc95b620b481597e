import { Badge, Paper, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { channelOf, environmentOf } from '../../shared/channels.ts';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';

const REFRESH_MS = 5_000;

/** The status of each vendor channel: open, paused, or without quota. */
export function ChannelsPage() {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const channels = useQuery({
    queryKey: [app.app_id, 'channels'],
    queryFn: () => api.admin.channel.list(),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      title={t('channels.title')}
      description={t('channels.description')}
      actions={<ShowAsCode call={{ path: '/admin/channel/list', request: {} }} />}
    >
      <QueryStates query={channels}>
        {(list) => (
          <Paper withBorder>
            {list.length > 0 && <ChannelTable channels={list} />}
            {list.length === 0 && <EmptyState title={t('channels.empty')} hint={t('channels.emptyHint')} />}
          </Paper>
        )}
      </QueryStates>
    </Page>
  );
}

function ChannelTable({ channels }: { readonly channels: readonly Channel[] }) {
  const { t } = useTranslation();
  const { ago, number } = useFormat();
  // Channels with a problem come first.
  const sorted = [...channels].sort((one, other) => rankOf(one) - rankOf(other));
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('channels.channel')}</Table.Th>
          <Table.Th>{t('channels.status')}</Table.Th>
          <Table.Th visibleFrom="sm" ta="right">
            {t('channels.limit')}
          </Table.Th>
          <Table.Th visibleFrom="md">{t('channels.throttled')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sorted.map((channel) => (
          <Table.Tr key={`${channel.provider} ${channel.environment}`}>
            <Table.Td>
              <Text size="sm" fw={500}>
                {t(`channel.${channelOf(channel.provider)}`)}
              </Text>
              <Text size="xs" c="dimmed">
                {t(`common.environments.${environmentOf(channel.environment)}`)}
              </Text>
            </Table.Td>
            <Table.Td>
              <ChannelStatus channel={channel} />
            </Table.Td>
            <Table.Td visibleFrom="sm" ta="right">
              {channel.per_second === null
                ? t('channels.noLimit')
                : t('channels.perSecond', { number: number(channel.per_second) })}
            </Table.Td>
            <Table.Td visibleFrom="md">
              {channel.throttled_at === null ? t('common.never') : ago(channel.throttled_at)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const rankOf = ({ open, spent, provider }: Channel): number =>
  (open ? 1000 : 0) + (spent.length > 0 ? 0 : 100) + provider;

function ChannelStatus({ channel: { open, closed_at, reason, spent } }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const { ago, time } = useFormat();
  if (open && spent.length === 0) return <Badge color="green">{t('channels.open')}</Badge>;
  return (
    <Stack gap={4} align="flex-start">
      {!open && (
        <>
          <Badge color="red">{t('channels.paused')}</Badge>
          <Text size="xs">{t('channels.since', { time: ago(closed_at ?? Date.now()), reason })}</Text>
        </>
      )}
      {spent.length > 0 && <Badge color="yellow">{t('channels.quota')}</Badge>}
      {spent.map(({ class: kind, until }) => (
        <Text size="xs" key={kind}>
          {kind === ''
            ? t('channels.until', { time: time(until) })
            : t('channels.untilClass', { kind, time: time(until) })}
        </Text>
      ))}
    </Stack>
  );
}
