import { Badge, Box, Button, Group, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AdminToken } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { DataTable } from '../../shared/data-table.tsx';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { WholeList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { CreateToken } from './create-token.tsx';

/** The admin tokens with which programs call the API. */
export function TokensPage() {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const tokens = useQuery({ queryKey: [app.app_id, 'tokens'], queryFn: () => api.admin.token.list() });
  return (
    <Page
      title={t('tokens.title')}
      description={t('tokens.description')}
      actions={
        <>
          <ShowAsCode call={{ path: '/admin/token/list', request: {} }} />
          {can('admin') && <CreateToken />}
        </>
      }
    >
      <WholeList query={tokens} empty={<EmptyState title={t('tokens.empty')} hint={t('tokens.emptyHint')} />}>
        {(list) => <TokenTable tokens={list} />}
      </WholeList>
    </Page>
  );
}

function TokenTable({ tokens }: { readonly tokens: readonly AdminToken[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      head={
        <>
          <Table.Th>{t('tokens.name')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('tokens.scopes')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('credentials.expiry')}</Table.Th>
          <Table.Td />
        </>
      }
    >
      {tokens.map((token) => (
        <TokenRow key={String(token.token_id)} token={token} />
      ))}
    </DataTable>
  );
}

function TokenRow({ token }: { readonly token: AdminToken }) {
  const { t } = useTranslation();
  const { ago, time } = useFormat();
  const { api, app, can } = useApp();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const revoke = () =>
    confirm({
      title: t('tokens.revokeTitle'),
      text: t('tokens.revokeText', { name: token.name }),
      action: t('tokens.revoke'),
      call: { path: '/admin/token/revoke', request: { token_id: token.token_id } },
      run: async () => {
        await api.admin.token.revoke({ token_id: token.token_id });
        await queries.invalidateQueries({ queryKey: [app.app_id, 'tokens'] });
      },
    });
  const scopes = (
    <Group gap={4}>
      {token.scopes.map((scope) => (
        <Badge key={scope} color="gray">
          {scope === '*' ? t('tokens.all') : scope}
        </Badge>
      ))}
      {token.group_id !== null && <Badge color="blue">{t('groups.one', { id: String(token.group_id) })}</Badge>}
    </Group>
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500} size="sm">
          {token.name}
        </Text>
        <Text size="xs" c="dimmed">
          {t('tokens.created', { id: String(token.token_id), time: ago(token.created_at) })}
        </Text>
        {token.expire !== null && (
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {t('tokens.expires', { time: time(token.expire) })}
          </Text>
        )}
        <Box mt={4} hiddenFrom="sm">
          {scopes}
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">{scopes}</Table.Td>
      <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
        {token.expire === null ? t('tokens.noExpiry') : time(token.expire)}
      </Table.Td>
      <Table.Td ta="right">
        {can('admin') && (
          <Button
            size="xs"
            variant="default"
            onClick={revoke}
            aria-label={t('tokens.revokeNamed', { name: token.name })}
          >
            {t('tokens.revoke')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
