import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OperatorSession } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { DataTable } from '../../shared/data-table.tsx';
import { useFormat } from '../../shared/format.ts';
import { QueryStates } from '../../shared/query-states.tsx';
import { browserName } from './browser-name.ts';

const queryKey = ['sessions'];

/** The browsers in which the operator is signed in. Every other session can be ended. */
export function Sessions() {
  const { t } = useTranslation();
  const { api } = useApp();
  const sessions = useQuery({ queryKey, queryFn: () => api.operator.sessionList() });
  return (
    <QueryStates query={sessions}>
      {(list) => (
        <DataTable
          head={
            <>
              <Table.Th>{t('account.browser')}</Table.Th>
              <Table.Th ta="right">{t('account.lastUsed')}</Table.Th>
            </>
          }
        >
          {list.map((session) => (
            <SessionRow key={String(session.session_id)} session={session} />
          ))}
        </DataTable>
      )}
    </QueryStates>
  );
}

function SessionRow({ session }: { readonly session: OperatorSession }) {
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
        await api.operator.sessionRevoke({ session_id });
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
