import { List, Table, Text } from '@mantine/core';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PushNotifyRequest, PushValidateResponse } from '../../../../sdk/src/index.ts';
import { stringifyJson } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import type { ChannelName } from '../../shared/channels.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { Section } from '../../shared/page.tsx';
import { ErrorState, LoadingState } from '../../shared/query-states.tsx';
import { obstaclesOf } from '../tasks/funnel-rows.ts';
import { isRejected } from './is-rejected.ts';
import classes from './previews.module.css';
import { warningsOf } from './warnings.ts';

/** Counts the devices that a request would reach. Null is a form that is not complete. */
export function useReach(request: PushNotifyRequest | null): UseQueryResult<PushValidateResponse> {
  const { api, app } = useApp();
  return useQuery({
    queryKey: [app.app_id, 'reach', request && stringifyJson(request)],
    queryFn: () => api.push.validate(request as PushNotifyRequest),
    enabled: request !== null,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
}

interface ReachProps {
  readonly isComplete: boolean;
  readonly reach: UseQueryResult<PushValidateResponse>;
}

/** The number of devices by channel, and what vendors would change. */
export function Reach({ isComplete, reach }: ReachProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <Section title={t('compose.reach')}>
      {!isComplete && (
        <Text size="sm" c="dimmed">
          {t('compose.reachHint')}
        </Text>
      )}
      {isComplete && reach.isPending && <LoadingState />}
      {isComplete && reach.isError && (
        <ErrorState
          error={reach.error}
          {...(isRejected(reach.error)
            ? { title: t('compose.rejected') }
            : { title: t('compose.notChecked'), retry: () => void reach.refetch() })}
        />
      )}
      {isComplete && reach.data && !reach.isError && (
        <>
          <Text size="xl" fw={600} role="status">
            {t('compose.devices', { count: Number(reach.data.devices), number: number(reach.data.devices) })}
          </Text>
          {reach.data.incomplete && <Notice color="yellow">{t('compose.reachIncomplete')}</Notice>}
          <ReachTable reach={reach.data} />
          <Warnings reach={reach.data} />
        </>
      )}
    </Section>
  );
}

/** The devices by channel. A paused channel or a used-up quota is named, because its devices would wait or be missed. */
function ReachTable({ reach: { first, waiting, unreachable } }: { readonly reach: PushValidateResponse }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const status = useQuery({ queryKey: [app.app_id, 'channels'], queryFn: () => api.admin.channel.list() });
  const obstacles = obstaclesOf(status.data ?? []);
  const channels = (Object.entries(first) as [ChannelName, bigint][])
    .filter(([, devices]) => devices > 0n)
    .sort(([, one], [, other]) => Number(other - one));
  if (channels.length === 0 && waiting === 0n && unreachable === 0n) return null;
  return (
    <DataTable
      verticalSpacing={6}
      horizontalSpacing={0}
      head={
        <>
          <Table.Th>{t('compose.first')}</Table.Th>
          <Table.Th ta="right">{t('task.devices')}</Table.Th>
        </>
      }
    >
      {channels.map(([channel, devices]) => {
        const obstacle = obstacles.get(channel);
        const hint = obstacle && t(obstacle === 'paused' ? 'compose.pausedHint' : 'compose.quotaHint');
        return <ReachRow key={channel} name={t(`channel.${channel}`)} devices={devices} hint={hint} />;
      })}
      {waiting > 0n && <ReachRow name={t('compose.waiting')} devices={waiting} />}
      {unreachable > 0n && (
        <ReachRow name={t('compose.unreachable')} devices={unreachable} hint={t('compose.unreachableHint')} />
      )}
    </DataTable>
  );
}

interface ReachRowProps {
  readonly name: string;
  readonly devices: bigint;
  readonly hint?: string | undefined;
}

function ReachRow({ name, devices, hint }: ReachRowProps) {
  const { number } = useFormat();
  return (
    <Table.Tr>
      <Table.Td>
        {name}
        {hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" valign="top">
        {number(devices)}
      </Table.Td>
    </Table.Tr>
  );
}

function Warnings({ reach }: { readonly reach: PushValidateResponse }) {
  const { t } = useTranslation();
  const warnings = warningsOf(reach);
  if (warnings.length === 0) return null;
  return (
    <Notice color="yellow">
      <details>
        <summary className={classes.warnings}>{t('compose.warnings', { count: warnings.length })}</summary>
        <List size="sm" spacing={4}>
          {warnings.map((warning) =>
            warning.kind === 'ignored' ? (
              <List.Item key={warning.field}>
                <b>{warning.field}</b>: {t('compose.ignored')}
              </List.Item>
            ) : (
              <List.Item key={`${warning.channel} ${warning.text}`}>
                <b>{t(`channel.${warning.channel}`)}</b>: {warning.text}
              </List.Item>
            ),
          )}
        </List>
      </details>
    </Notice>
  );
}
