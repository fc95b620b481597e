import { Group, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../shared/data-table.tsx';
import { useFormat } from '../../shared/format.ts';
import classes from './funnel.module.css';
import { type Counters, type FunnelRow, isUnreported, type Obstacle, percentOf, totalOf } from './funnel-rows.ts';
import { ReceiptsNote } from './receipts-note.tsx';

interface FunnelProps {
  readonly rows: readonly FunnelRow[];
  /** Why channels do not send now. Empty if the task has ended. */
  readonly obstacles: ReadonlyMap<string, Obstacle>;
}

/** Target, sent and received for each channel, and clicks if there are any. The bars have the same scale, so that channels can be compared. */
export function Funnel({ rows, obstacles }: FunnelProps) {
  const { t } = useTranslation();
  const total = totalOf(rows);
  const unreported = rows.filter(isUnreported);
  const clicked = rows.reduce((sum, row) => sum + row.clicked, 0n);
  const hasClicks = clicked > 0n;
  return (
    <>
      <DataTable
        className={classes.table}
        head={
          <>
            <Table.Th>{t('task.channel')}</Table.Th>
            <Table.Th visibleFrom="sm" w="40%">
              {t('task.progress')}
            </Table.Th>
            <Table.Th ta="right">{t('tasks.target')}</Table.Th>
            <Table.Th ta="right">{t('tasks.sent')}</Table.Th>
            <Table.Th ta="right" className={classes.lastOnPhone}>
              {t('tasks.received')}
            </Table.Th>
            {hasClicks && (
              <Table.Th visibleFrom="sm" ta="right">
                {t('task.clicked')}
              </Table.Th>
            )}
          </>
        }
      >
        {rows.length > 1 && (
          <CounterRow
            name={t('common.total')}
            counters={total}
            clicked={hasClicks ? clicked : undefined}
            scale={total.target}
            isTotal
            isUnreported={unreported.length > 0 && total.received === 0n}
          />
        )}
        {rows.map((row) => (
          <CounterRow
            key={row.channel}
            name={t(`channel.${row.channel}`)}
            counters={row}
            clicked={hasClicks ? row.clicked : undefined}
            scale={total.target}
            obstacle={obstacles.get(row.channel)}
            isUnreported={isUnreported(row)}
          />
        ))}
      </DataTable>
      <ReceiptsNote channels={unreported.map(({ channel }) => channel)} px="md" />
    </>
  );
}

interface CounterRowProps {
  readonly name: string;
  readonly counters: Counters;
  /** Undefined if no channel has clicks. */
  readonly clicked: bigint | undefined;
  /** Number that a bar of full width stands for. */
  readonly scale: bigint;
  readonly isTotal?: boolean;
  readonly obstacle?: Obstacle | undefined;
  readonly isUnreported: boolean;
}

function CounterRow({ name, counters, clicked, scale, isTotal = false, obstacle, isUnreported }: CounterRowProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { target, sent, received } = counters;
  const width = (value: bigint) => ({ width: `${percentOf(value, scale)}%` });
  return (
    <Table.Tr fw={isTotal ? 600 : undefined}>
      <Table.Th scope="row" fw="inherit">
        <Group gap={4}>
          {name}
          {obstacle && (
            <Text size="xs" span>
              · {t(`channels.${obstacle}`)}
            </Text>
          )}
        </Group>
        {clicked !== undefined && clicked > 0n && (
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {t('task.clickedCount', { number: number(clicked) })}
          </Text>
        )}
      </Table.Th>
      <Table.Td visibleFrom="sm">
        <div className={classes.bar} aria-hidden="true">
          <div className={classes.target} style={width(target)} />
          <div className={classes.sent} style={width(sent)} />
          <div className={classes.received} style={width(received)} />
        </div>
      </Table.Td>
      <Table.Td ta="right">{number(target)}</Table.Td>
      <Table.Td ta="right">{number(sent)}</Table.Td>
      <Table.Td ta="right" className={classes.lastOnPhone}>
        {isUnreported ? t('common.notReported') : number(received)}
      </Table.Td>
      {clicked !== undefined && (
        <Table.Td visibleFrom="sm" ta="right">
          {number(clicked)}
        </Table.Td>
      )}
    </Table.Tr>
  );
}
