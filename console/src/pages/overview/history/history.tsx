import { Anchor, Box, Group, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../../shared/api.ts';
import { type ChannelName, channelNames } from '../../../shared/channels.ts';
import { DataTable } from '../../../shared/data-table.tsx';
import { lastDays } from '../../../shared/days.ts';
import { useFormat } from '../../../shared/format.ts';
import { Notice } from '../../../shared/notice.tsx';
import { Section } from '../../../shared/page.tsx';
import { EmptyState, LoadingState, QueryStates } from '../../../shared/query-states.tsx';
import { serverTimeOf } from '../../../shared/server-clock.ts';
import { isUnreported, percentOf } from '../../tasks/funnel-rows.ts';
import { ReceiptsNote } from '../../tasks/receipts-note.tsx';
import { OutdatedCounts } from '../outdated-counts.tsx';
import {
  areOutdated,
  type ChannelCounts,
  countsByChannel,
  countsByDay,
  type DayCounts,
  historyRanges,
} from './daily-counts.ts';
import classes from './history.module.css';

// The chart library is loaded after the rest of the page.
const DailyChart = lazy(() => import('./daily-chart.tsx').then(({ DailyChart }) => ({ default: DailyChart })));

const REFRESH_MS = 60_000;

interface HistoryProps {
  /** Whether the app has a task that was not deleted. */
  readonly hasTasks: boolean;
}

/** Sent and received notifications by day and channel, as a chart and as tables. */
export function History({ hasTasks }: HistoryProps) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const { days = '14', channel } = useSearch({ from: '/app/$appId/' });
  const [asTable, { toggle }] = useDisclosure();
  const range = lastDays(Number(days), Date.now());
  const counts = useQuery({
    queryKey: [app.app_id, 'daily', Number(days), range.to],
    queryFn: () => api.push.statistics.daily(range),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const loadedAtMs = serverTimeOf(counts.dataUpdatedAt);
  return (
    <Section title={t('history.title')} hint={t('history.hint')} actions={<Choices />}>
      <QueryStates query={counts}>
        {({ list, counted_at }) => {
          const shown = channel ? list.filter((row) => row.channel === channel) : list;
          const outdated = areOutdated({ list, counted_at }, hasTasks, loadedAtMs) && (
            <Notice color="yellow">
              <OutdatedCounts countedAt={counted_at} />
            </Notice>
          );
          if (shown.length === 0)
            return outdated || <EmptyState title={t('history.empty')} hint={t('history.emptyHint')} />;
          const byDay = countsByDay(shown, range.from, range.to);
          const byChannel = countsByChannel(shown);
          return (
            <>
              {outdated}
              <Box mih={280}>
                <Suspense fallback={<LoadingState />}>
                  <DailyChart counts={byDay} />
                </Suspense>
              </Box>
              <ReceiptsNote channels={byChannel.filter(isUnreported).map(({ channel }) => channel)} />
              <Group>
                <Anchor component="button" type="button" size="sm" aria-expanded={asTable} onClick={toggle}>
                  {t(asTable ? 'history.hideTable' : 'history.showTable')}
                </Anchor>
              </Group>
              {asTable && (
                <SimpleGrid cols={{ base: 1, md: 2 }} className={classes.tables}>
                  <DayTable counts={byDay} />
                  <ChannelTable counts={byChannel} />
                </SimpleGrid>
              )}
            </>
          );
        }}
      </QueryStates>
    </Section>
  );
}

/** The range and the channel. They are part of the address. */
function Choices() {
  const { t } = useTranslation();
  const { app } = useApp();
  const navigate = useNavigate();
  const search = useSearch({ from: '/app/$appId/' });
  const change = (fields: object) =>
    void navigate({
      to: '/app/$appId',
      params: { appId: app.app_id },
      search: { ...search, ...fields },
      replace: true,
      resetScroll: false,
    });
  return (
    <Group gap="xs">
      <Select
        aria-label={t('history.channel')}
        w={170}
        data={[
          { value: '', label: t('history.allChannels') },
          ...channelNames.map((name) => ({ value: name, label: t(`channel.${name}`) })),
        ]}
        value={search.channel ?? ''}
        allowDeselect={false}
        onChange={(value) => change({ channel: (value || undefined) as ChannelName | undefined })}
      />
      <Select
        aria-label={t('history.range')}
        w={120}
        data={historyRanges.map((value) => ({ value, label: t('history.days', { number: value }) }))}
        value={search.days ?? '14'}
        allowDeselect={false}
        onChange={(value) => change({ days: value === '14' ? undefined : value })}
      />
    </Group>
  );
}

function DayTable({ counts }: { readonly counts: readonly DayCounts[] }) {
  const { t } = useTranslation();
  const { number, day: formatDay } = useFormat();
  return (
    <DataTable
      head={
        <>
          <Table.Th>{t('history.day')}</Table.Th>
          <Table.Th ta="right">{t('tasks.sent')}</Table.Th>
          <Table.Th ta="right">{t('tasks.received')}</Table.Th>
        </>
      }
    >
      {counts.toReversed().map(({ day, sent, received }) => (
        <Table.Tr key={day}>
          <Table.Th scope="row" fw="normal">
            {formatDay(day)}
          </Table.Th>
          <Table.Td ta="right">{number(sent)}</Table.Td>
          <Table.Td ta="right">{number(received)}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function ChannelTable({ counts }: { readonly counts: readonly ChannelCounts[] }) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  return (
    <Stack gap={0}>
      <DataTable
        head={
          <>
            <Table.Th>{t('history.channel')}</Table.Th>
            <Table.Th ta="right">{t('tasks.sent')}</Table.Th>
            <Table.Th ta="right">{t('tasks.received')}</Table.Th>
          </>
        }
      >
        {counts.map((count) => (
          <Table.Tr key={count.channel}>
            <Table.Th scope="row" fw="normal">
              {t(`channel.${count.channel}`)}
            </Table.Th>
            <Table.Td ta="right">{number(count.sent)}</Table.Td>
            <Table.Td ta="right">
              {isUnreported(count) ? (
                t('common.notReported')
              ) : (
                <>
                  {number(count.received)}{' '}
                  <Text span size="xs" c="dimmed">
                    {percent(percentOf(count.received, count.sent))}
                  </Text>
                </>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </Stack>
  );
}
