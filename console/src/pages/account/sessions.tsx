import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Operator, OperatorSession } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { DataTable } from '../../shared/data-table.tsx';
import { useFormat } from '../../shared/format.ts';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';
import { browserName } from './browser-name.ts';

const queryKey = ['sessions'];

type Owner = Pick<Operator, 'operator_id' | 'name'>;

/** The browsers in which the operator is signed in, or another operator. Every other session can be ended. */
export function Sessions({ operator }: { readonly operator?: Owner }) {
  const { t } = useTranslation();
  const { api } = useApp();
  const { operator_id } = operator ?? {};
  const sessions = useQuery({
    queryKey: [...queryKey, String(operator_id)],
    queryFn: () => api.operator.sessionList(operator_id === undefined ? {} : { operator_id }),
  });
  return (
    <QueryStates query={sessions}>
      {(list) =>
        list.length === 0 ? (
          <EmptyState title={t('account.noSessions')} hint={t('account.noSessionsHint')} />
        ) : (
          <Stack>
            <DataTable
              head={
                <>
                  <Table.Th>{t('account.browser')}</Table.Th>
                  <Table.Th ta="right">{t('account.lastUsed')}</Table.Th>
                </>
              }
            >
              {list.map((session) => (
                <SessionRow key={String(session.session_id)} session={session} operatorId={operator_id} />
              ))}
            </DataTable>
            {operator && list.some(({ is_current }) => !is_current) && (
              <EndAll operator={operator} isOwn={list.some(({ is_current }) => is_current)} />
            )}
          </Stack>
        )
      }
    </QueryStates>
  );
}

/** A button that ends all sessions of an operator, except the one of this browser. */
function EndAll({ operator: { operator_id, name }, isOwn }: { readonly operator: Owner; readonly isOwn: boolean }) {
  const { t } = useTranslation();
  const { api } = useApp();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const endAll = () =>
    confirm({
      title: t('account.endAllTitle'),
      text: isOwn ? t('account.endOthersText') : t('account.endAllText', { name }),
      action: t('account.endAll'),
      run: () => api.operator.sessionRevoke({ operator_id }).then(() => queries.invalidateQueries({ queryKey })),
    });
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={endAll}>
        {t('account.endAll')}
      </Button>
    </Group>
  );
}

interface SessionRowProps {
  readonly session: OperatorSession;
  /** Undefined for the own sessions. */
  readonly operatorId: bigint | undefined;
}

function SessionRow({ session, operatorId }: SessionRowProps) {
  const { t } = useTranslation();
  const { ago } = useFormat();
  const { api } = useApp();
  const queries = useQueryClient();
  const { session_id, address, user_agent, created_at, last_used_at, is_current } = session;
  const confirm = useConfirm();
  const { browser, system } = browserName(user_agent);
  const name = browser && system ? t('account.browserOn', { browser, system }) : (browser ?? system ?? user_agent);
  const revoke = () =>
    confirm({
      title: t('account.endTitle'),
      text: t('account.endText', { name: name || address }),
      action: t('account.endAction'),
      run: async () => {
        await api.operator.sessionRevoke({
          session_id,
          ...(operatorId !== undefined && { operator_id: operatorId }),
        });
        await queries.invalidateQueries({ queryKey });
      },
    });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" lineClamp={2} title={user_agent} style={{ overflowWrap: 'anywhere' }}>
          {name || t('account.unknown')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('account.signedIn', { address, time: ago(created_at) })}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {is_current ? (
          <Badge color="green">{t('account.current')}</Badge>
        ) : (
          <Group justify="flex-end" gap="xs">
            <Text size="sm">{ago(last_used_at)}</Text>
            <Button size="xs" variant="default" onClick={revoke} aria-label={t('account.endNamed', { address })}>
              {t('account.end')}
            </Button>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
