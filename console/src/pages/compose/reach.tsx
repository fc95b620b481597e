import { List, Table, Text } from '@mantine/core';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PushNotifyRequest, PushValidateResponse } from '../../../../sdk/src/index.ts';
import { stringifyJson } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import type { ChannelName } from '../../shared/channels.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { Section } from '../../shared/page.tsx';
import { ErrorState, LoadingState } from '../../shared/query-states.tsx';

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
      {isComplete && reach.isError && <ErrorState error={reach.error} title={t('compose.rejected')} />}
      {isComplete && reach.data && !reach.isError && (
        <>
          <Text size="xl" fw={600} role="status">
            {t('compose.devices', { count: Number(reach.data.devices), number: number(reach.data.devices) })}
          </Text>
          <ReachTable reach={reach.data} />
          <Warnings reach={reach.data} />
        </>
      )}
    </Section>
  );
}

function ReachTable({ reach: { first, waiting, unreachable } }: { readonly reach: PushValidateResponse }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const channels = (Object.entries(first) as [ChannelName, bigint][])
    .filter(([, devices]) => devices > 0n)
    .sort(([, one], [, other]) => Number(other - one));
  const rows = [
    ...channels.map(([channel, devices]) => [t(`channel.${channel}`), devices] as const),
    ...(waiting > 0n ? [[t('compose.waiting'), waiting] as const] : []),
    ...(unreachable > 0n ? [[t('compose.unreachable'), unreachable] as const] : []),
  ];
  if (rows.length === 0) return null;
  return (
    <Table verticalSpacing={6} horizontalSpacing={0}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('compose.first')}</Table.Th>
          <Table.Th ta="right">{t('task.devices')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([name, devices]) => (
          <Table.Tr key={name}>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="right">{number(devices)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Warnings({ reach: { cuts, demotions } }: { readonly reach: PushValidateResponse }) {
  const { t } = useTranslation();
  const warnings = [...new Set([...cuts, ...demotions].map(({ channel, text }) => `${channel}\n${text}`))];
  if (warnings.length === 0) return null;
  return (
    <Notice color="yellow">
      <details>
        <summary>{t('compose.warnings', { count: warnings.length })}</summary>
        <List size="sm" spacing={4}>
          {warnings.map((warning) => {
            const [channel, text] = warning.split('\n');
            return (
              <List.Item key={warning}>
                <b>{t(`channel.${channel as ChannelName}`)}</b>: {text}
              </List.Item>
            );
          })}
        </List>
      </details>
    </Notice>
  );
}
