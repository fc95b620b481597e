import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { lastDays, localDayOf } from '../../shared/days.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { ErrorState, LoadingState } from '../../shared/query-states.tsx';
import { serverTimeOf } from '../../shared/server-clock.ts';
import { EXPIRY_DAYS } from '../credentials/expiry.ts';
import { isVendorChannel } from '../credentials/vendor-forms.ts';
import { type Concern, concernsOf, keyOf } from './attention.ts';
import { channelsToCheck, failuresIn, loadReports } from './failed-notifications.ts';
import { areOutdated } from './history/daily-counts.ts';
import { OutdatedCounts } from './outdated-counts.tsx';

const colors = {
  paused: 'red',
  expired: 'red',
  failures: 'yellow',
  quota: 'yellow',
  expires: 'yellow',
  throttled: 'blue',
} as const;

/** Failures are checked for today and yesterday, because a day has just started for some operators. */
const FAILURE_DAYS = 2;
const REFRESH_MS = 60_000;
/** At most this many drafts are counted, because they are one page. */
const DRAFTS_COUNTED = 100;

interface AttentionListProps {
  readonly channels: readonly Channel[];
  /** Whether the app has a task that was not deleted. */
  readonly hasTasks: boolean;
}

/** Problems that need an operator, the most urgent first, each with a link to the page for it. */
export function AttentionList({ channels, hasTasks }: AttentionListProps) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const range = lastDays(FAILURE_DAYS, Date.now());
  const counts = useQuery({
    queryKey: [app.app_id, 'daily', FAILURE_DAYS, range.to],
    queryFn: () => api.push.statistics.daily(range),
    refetchInterval: REFRESH_MS,
  });
  const drafts = useQuery({
    queryKey: [app.app_id, 'drafts', 'waiting'],
    queryFn: () => api.push.draft.list({ state: 'open', limit: DRAFTS_COUNTED }),
    refetchInterval: REFRESH_MS,
  });
  // The counts do not separate failed notifications from waiting and cancelled ones, so the tasks are checked too.
  const unsentChannels = channelsToCheck(counts.data?.list ?? []);
  const reports = useQuery({
    queryKey: [app.app_id, 'unsent-reports', range.from],
    queryFn: () => loadReports(api, range.from),
    enabled: unsentChannels.size > 0,
    refetchInterval: REFRESH_MS,
  });
  const waiting = drafts.data?.list.length ?? 0;
  const hasMoreDrafts = (drafts.data?.next ?? null) !== null;
  const concerns = concernsOf(channels, Date.now(), failuresIn(unsentChannels, reports.data ?? []));
  const isOutdated =
    counts.data !== undefined && areOutdated(counts.data, hasTasks, serverTimeOf(counts.dataUpdatedAt));
  const failed = [counts, drafts, reports].find(({ isError }) => isError);
  if (concerns.length === 0 && waiting === 0 && !failed && !isOutdated) {
    if (counts.isPending || drafts.isPending || (unsentChannels.size > 0 && reports.isPending)) return <LoadingState />;
    return (
      <Notice color="green" title={t('overview.allGood')}>
        {t('overview.allGoodHint', { days: EXPIRY_DAYS })}
      </Notice>
    );
  }
  return (
    <Stack gap="sm">
      {failed && <ErrorState error={failed.error} retry={() => void failed.refetch()} />}
      {concerns.map((concern) => (
        <ConcernNotice key={keyOf(concern)} concern={concern} from={range.from} />
      ))}
      {isOutdated && (
        <Notice color="yellow" title={t('overview.outdated')}>
          <OutdatedCounts countedAt={counts.data.counted_at} />
          <Text size="sm">{t('overview.outdatedHint')}</Text>
        </Notice>
      )}
      {waiting > 0 && (
        <Notice
          color="blue"
          title={t(hasMoreDrafts ? 'overview.draftsAtLeast' : 'overview.drafts', { count: waiting })}
        >
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/app/$appId/drafts" params={{ appId: app.app_id }} {...props} />}
          >
            {t('overview.openDrafts')}
          </Anchor>
        </Notice>
      )}
    </Stack>
  );
}

function ConcernNotice({ concern, from }: { readonly concern: Concern; readonly from: string }) {
  const title = useTitle(concern);
  return (
    <Notice color={colors[concern.kind]} title={title}>
      <Stack gap={4} align="flex-start">
        <Text size="sm">
          <Detail concern={concern} />
        </Text>
        <Action concern={concern} from={from} />
      </Stack>
    </Notice>
  );
}

/** Names the channel, the environment unless it is production, and the class of messages if it has its own quota. */
function useTitle(concern: Concern): string {
  const { t } = useTranslation();
  const name = t(`channel.${concern.channel}`);
  if (concern.kind === 'failures') return t('overview.failures', { channel: name });
  const channel = concern.environment === 0 ? t('overview.inDevelopment', { channel: name }) : name;
  return concern.kind === 'quota' && concern.messageClass !== ''
    ? t('overview.quotaOfClass', { channel, kind: concern.messageClass })
    : t(`overview.${concern.kind}`, { channel });
}

function Detail({ concern }: { readonly concern: Concern }) {
  const { t } = useTranslation();
  const { ago, number, time } = useFormat();
  switch (concern.kind) {
    case 'paused':
      return t('overview.pausedSince', { time: time(concern.atMs), reason: concern.reason });
    case 'expired':
      return t('overview.expiredAt', { time: time(concern.atMs) });
    case 'expires':
      return t('overview.expiresAt', { time: time(concern.atMs) });
    case 'quota':
      return t('overview.quotaUntil', { time: time(concern.atMs) });
    case 'throttled':
      return t('overview.throttledAt', { time: ago(concern.atMs) });
    case 'failures':
      return t('overview.failuresOf', { failed: number(concern.failed), target: number(concern.target) });
  }
}

/** A link to the page on which the operator can do something about it. */
function Action({ concern, from }: { readonly concern: Concern; readonly from: string }) {
  const { t } = useTranslation();
  const { app, can } = useApp();
  const params = { appId: app.app_id };
  const { kind, channel } = concern;
  if (kind === 'failures')
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to="/app/$appId/tasks"
            params={params}
            search={{ failed: channel, from: localDayOf(Date.parse(from)) }}
            {...props}
          />
        )}
      >
        {t('overview.openFailed')}
      </Anchor>
    );
  if ((kind === 'expired' || kind === 'expires') && isVendorChannel(channel)) {
    if (!can('admin')) return <Text size="sm">{t('overview.askAdmin')}</Text>;
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to="/app/$appId/credentials/$channel"
            params={{ ...params, channel }}
            search={concern.environment === 0 ? { environment: '0' } : {}}
            {...props}
          />
        )}
      >
        {t('overview.openCredentials')}
      </Anchor>
    );
  }
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/app/$appId/channels" params={params} {...props} />}>
      {t('overview.openChannels')}
    </Anchor>
  );
}
