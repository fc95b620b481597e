import { Badge, Button, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AdminChannelResumeResponse, Channel } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { channelOf } from '../../shared/channels.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { DevelopmentFold } from '../../shared/development-fold.tsx';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { Page } from '../../shared/page.tsx';
import { EmptyState, ErrorState, QueryStates } from '../../shared/query-states.tsx';
import { serverNow } from '../../shared/server-clock.ts';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { useLastResponse } from './last-response.ts';

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
  const queries = useQueryClient();
  // The result is shown above the table, because the row of a resumed channel no longer has the button.
  const resumption = useMutation({
    mutationFn: ({ provider, environment }: Channel) => api.admin.channel.resume({ provider, environment }),
    onSettled: () => queries.invalidateQueries({ queryKey: [app.app_id, 'channels'] }),
  });
  return (
    <Page
      title={t('channels.title')}
      description={t('channels.description')}
      actions={<ShowAsCode call={{ path: '/admin/channel/list', request: {} }} />}
    >
      <ResumeResult resumption={resumption} />
      <QueryStates query={channels}>
        {(list) =>
          list.length > 0 ? (
            <Environments channels={list} resumption={resumption} />
          ) : (
            <Paper withBorder>
              <EmptyState title={t('channels.empty')} hint={t('channels.emptyHint')} />
            </Paper>
          )
        }
      </QueryStates>
    </Page>
  );
}

type Resumption = UseMutationResult<AdminChannelResumeResponse, Error, Channel>;

/** The result of the last attempt to resume a channel. */
function ResumeResult({ resumption: { data, error, variables } }: { readonly resumption: Resumption }) {
  const { t } = useTranslation();
  if (!variables || (!data && !error)) return null;
  const channel = t(`channel.${channelOf(variables.provider)}`);
  if (error) return <ErrorState error={error} title={t('channels.notResumed', { channel })} />;
  const { provider, environment } = variables;
  return (
    <Notice color={data.resumed ? 'green' : 'blue'} role="status">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t(data.resumed ? 'channels.resumed' : 'channels.wasOpen', { channel })}</Text>
        <ShowAsCode call={{ path: '/admin/channel/resume', request: { provider, environment } }} />
      </Stack>
    </Notice>
  );
}

interface ChannelTableProps {
  readonly channels: readonly Channel[];
  readonly resumption: Resumption;
}

/** Production first. Development is folded unless it needs attention. */
function Environments({ channels, resumption }: ChannelTableProps) {
  const production = channels.filter(({ environment }) => environment === 1);
  const development = channels.filter(({ environment }) => environment !== 1);
  return (
    <Stack>
      {production.length > 0 && <ChannelTable channels={production} resumption={resumption} />}
      {development.length > 0 && (
        <DevelopmentFold
          count={development.length}
          isOpenAtFirst={production.length === 0 || development.some(({ open, spent }) => !open || spent.length > 0)}
        >
          <ChannelTable channels={development} resumption={resumption} />
        </DevelopmentFold>
      )}
    </Stack>
  );
}

function ChannelTable({ channels, resumption }: ChannelTableProps) {
  const { t } = useTranslation();
  const { ago, number } = useFormat();
  const lastResponse = useLastResponse();
  const rateLimit = ({ per_second }: Channel) =>
    per_second === null ? t('channels.noLimit') : t('channels.perSecond', { number: number(per_second) });
  // Channels with a problem come first.
  const sorted = [...channels].sort((one, other) => rankOf(one) - rankOf(other));
  return (
    <Paper withBorder>
      <DataTable
        head={
          <>
            <Table.Th>{t('channels.channel')}</Table.Th>
            <Table.Th>{t('channels.status')}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {t('channels.limit')}
            </Table.Th>
            <Table.Th visibleFrom="md">{t('channels.throttled')}</Table.Th>
            <Table.Th visibleFrom="md">{t('responses.title')}</Table.Th>
          </>
        }
      >
        {sorted.map((channel) => (
          <Table.Tr key={`${channel.provider} ${channel.environment}`}>
            <Table.Td>
              <Text size="sm" fw={500}>
                {t(`channel.${channelOf(channel.provider)}`)}
              </Text>
              {channel.per_second !== null && (
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  {rateLimit(channel)}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <ChannelStatus channel={channel} resumption={resumption} />
            </Table.Td>
            <Table.Td visibleFrom="sm" ta="right">
              {rateLimit(channel)}
            </Table.Td>
            <Table.Td visibleFrom="md">
              {channel.throttled_at === null ? t('common.never') : ago(channel.throttled_at)}
            </Table.Td>
            <Table.Td visibleFrom="md">{lastResponse(channel.last_response)}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </Paper>
  );
}

const rankOf = ({ open, spent, provider }: Channel): number =>
  (open ? 1_000 : 0) + (spent.length > 0 ? 0 : 100) + provider;

function ChannelStatus({ channel, resumption }: { readonly channel: Channel; readonly resumption: Resumption }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const { open, spent } = channel;
  return (
    <Stack gap={4} align="flex-start">
      {open && spent.length === 0 && (
        <Group gap="sm">
          <Badge color="green">{t('channels.open')}</Badge>
          <Usage channel={channel} />
        </Group>
      )}
      {!open && <Pause channel={channel} resumption={resumption} />}
      {spent.length > 0 && <Badge color="yellow">{t('channels.quota')}</Badge>}
      {spent.map(({ class: kind, until }) => (
        <Text size="xs" key={kind}>
          {kind === ''
            ? t('channels.until', { time: time(until) })
            : t('channels.untilClass', { kind, time: time(until) })}
        </Text>
      ))}
      {(!open || spent.length > 0) && <Usage channel={channel} />}
    </Stack>
  );
}

/** How many devices the vendor has accepted on its current day, if it has a daily quota and any of it is used. */
function Usage({ channel: { usage, resets_at } }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const { ago, number, time } = useFormat();
  const used = usage.filter(({ accepted }) => accepted > 0n);
  if (used.length === 0 || resets_at === null) return null;
  return (
    <div>
      {used.map(({ class: kind, accepted }) => (
        <Text size="xs" key={kind}>
          {kind === ''
            ? t('channels.accepted', { devices: number(accepted) })
            : t('channels.acceptedClass', { kind, devices: number(accepted) })}
        </Text>
      ))}
      <Text size="xs" c="dimmed" title={time(resets_at)}>
        {t('channels.resets', { ago: ago(resets_at) })}
      </Text>
    </div>
  );
}

/** Why and since when a channel is paused, when it is tried again, and a button that does not wait for that. */
function Pause({ channel, resumption }: { readonly channel: Channel; readonly resumption: Resumption }) {
  const { t } = useTranslation();
  const { ago } = useFormat();
  const { can } = useApp();
  const { closed_at, probe_at, reason, provider } = channel;
  const isProbeDue = probe_at === null || Number(probe_at) <= serverNow();
  return (
    <>
      <Badge color="red">{t('channels.paused')}</Badge>
      <Text size="xs">{t('channels.since', { time: ago(closed_at ?? serverNow()), reason })}</Text>
      <Text size="xs">{isProbeDue ? t('channels.probeDue') : t('channels.nextProbe', { time: ago(probe_at) })}</Text>
      {can('admin') && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('channels.resumeNamed', { channel: t(`channel.${channelOf(provider)}`) })}
          loading={resumption.isPending && resumption.variables === channel}
          disabled={resumption.isPending}
          onClick={() => resumption.mutate(channel)}
        >
          {t('channels.resume')}
        </Button>
      )}
    </>
  );
}
