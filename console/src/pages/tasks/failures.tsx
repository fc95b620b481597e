import { Code, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PushTaskReportResponse } from '../../../../sdk/src/index.ts';
import { FindLink } from '../../shared/find-link.tsx';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { type FailureReason, reasonsOf } from './failure-reasons.ts';
import classes from './failures.module.css';

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

/** The reasons for which devices were not reached, the most frequent first, each with the channels that reported it. */
export function Failures({ report }: { readonly report: PushTaskReportResponse }) {
  const { t } = useTranslation();
  const reasons = reasonsOf(report.channels);
  if (reasons.length === 0)
    return report.incomplete ? (
      <EmptyState title={t('task.noKnownFailures')} hint={t('task.noKnownFailuresHint')} />
    ) : (
      <EmptyState title={t('task.noFailures')} hint={t('task.noFailuresHint')} />
    );
  return (
    <>
      {!report.failures_complete && (
        <Notice color="yellow" mx="md">
          {t('task.incomplete')}
        </Notice>
      )}
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('task.channel')}</Table.Th>
            <Table.Th>{t('task.detail')}</Table.Th>
            <Table.Th ta="right">{t('task.devices')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {reasons.map((reason) => (
          <ReasonRows key={reason.code} reason={reason} taskId={report.task_id} />
        ))}
      </Table>
    </>
  );
}

interface ReasonRowsProps {
  readonly reason: FailureReason;
  readonly taskId: bigint;
}

function ReasonRows({ reason: { code, count, channels }, taskId }: ReasonRowsProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <Table.Tbody>
      <Table.Tr className={classes.reason}>
        <Table.Th scope="rowgroup" colSpan={2}>
          {t(`task.codes.${code}`)}
          {isAdvised(code) && (
            <Text size="sm" c="dimmed">
              {t(`advice.${code}`)}
            </Text>
          )}
        </Table.Th>
        <Table.Td ta="right" fw={600}>
          {number(count)}
        </Table.Td>
      </Table.Tr>
      {channels.map(({ channel, detail, count, example }) => (
        <Table.Tr key={`${channel} ${detail}`}>
          <Table.Td>{t(`channel.${channel}`)}</Table.Td>
          <Table.Td>
            {detail ? <Code className={classes.detail}>{detail}</Code> : '–'}{' '}
            {example !== null && (
              <FindLink
                size="sm"
                display="inline-block"
                aria-label={t('task.exampleOf', { channel: t(`channel.${channel}`) })}
                search={{ push_token: example, task_id: String(taskId) }}
              >
                {t('task.example')}
              </FindLink>
            )}
          </Table.Td>
          <Table.Td ta="right">{number(count)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  );
}
