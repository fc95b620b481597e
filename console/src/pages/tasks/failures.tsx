import { Code, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PushTaskReportResponse } from '../../../../sdk/src/index.ts';
import type { ChannelName } from '../../shared/channels.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { EmptyState } from '../../shared/query-states.tsx';

/** Failures that someone can do something about. */
const advised = [
  'token-dead',
  'refused',
  'locked-out',
  'quota-spent',
  'throttled',
  'unreachable',
  'unbound',
  'no-answer',
  'no-session',
  'expired',
] as const;
const isAdvised = (code: string): code is (typeof advised)[number] => advised.some((one) => one === code);

/** The reasons for which devices were not reached, the most frequent first. */
export function Failures({ report }: { readonly report: PushTaskReportResponse }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const failures = report.channels
    .flatMap(({ channel, failures }) => failures.map((failure) => ({ ...failure, channel: channel as ChannelName })))
    .sort((one, other) => Number(other.count - one.count));
  if (failures.length === 0) return <EmptyState title={t('task.noFailures')} hint={t('task.noFailuresHint')} />;
  return (
    <>
      {!report.failures_complete && (
        <Notice color="yellow" mx="md">
          {t('task.incomplete')}
        </Notice>
      )}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('task.reason')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('task.channel')}</Table.Th>
            <Table.Th visibleFrom="md">{t('task.detail')}</Table.Th>
            <Table.Th ta="right">{t('task.devices')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {failures.map(({ channel, code, detail, count }) => (
            <Table.Tr key={`${channel} ${code} ${detail}`}>
              <Table.Td>
                {t(`task.codes.${code}`)}
                {isAdvised(code) && (
                  <Text size="xs" c="dimmed">
                    {t(`advice.${code}`)}
                  </Text>
                )}
                <Text hiddenFrom="sm" size="xs" c="dimmed">
                  {t(`channel.${channel}`)}
                </Text>
                {detail && (
                  <Text hiddenFrom="md" size="xs" ff="monospace">
                    {detail}
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">{t(`channel.${channel}`)}</Table.Td>
              <Table.Td visibleFrom="md">{detail && <Code>{detail}</Code>}</Table.Td>
              <Table.Td ta="right">{number(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
