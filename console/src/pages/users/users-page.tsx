import { Anchor, Badge, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';

const PAGE_SIZE = 50;

/** All users of the app, by ID. The search for one user is on the page "Find". */
export function UsersPage() {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const { after } = useSearch({ from: '/app/$appId/users' });
  const request = { limit: PAGE_SIZE, ...(after !== undefined && { after: BigInt(after) }) };
  const users = useQuery({
    queryKey: [app.app_id, 'users', after ?? null],
    queryFn: () => api.admin.user.list(request),
    placeholderData: keepPreviousData,
  });
  const params = { appId: app.app_id };
  return (
    <Page
      title={t('users.title')}
      description={
        <Anchor inherit renderRoot={(props) => <Link to="/app/$appId/find" params={params} {...props} />}>
          {t('users.find')}
        </Anchor>
      }
      actions={<ShowAsCode call={{ path: '/admin/user/list', request }} />}
    >
      <PagedList
        query={users}
        order="id"
        empty={() => <EmptyState title={t('users.empty')} hint={t('users.emptyHint')} />}
      >
        {({ list }) => <UserTable users={list} />}
      </PagedList>
    </Page>
  );
}

function UserTable({ users }: { readonly users: readonly User[] }) {
  const { t } = useTranslation();
  const { app } = useApp();
  const { ago } = useFormat();
  return (
    <DataTable
      highlightOnHover
      head={
        <>
          <Table.Th>{t('users.user')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('users.mobile')}</Table.Th>
          <Table.Th visibleFrom="md">{t('signIn.email')}</Table.Th>
          <Table.Th ta="right">{t('users.created')}</Table.Th>
        </>
      }
    >
      {users.map((user) => {
        const params = { appId: app.app_id, userId: String(user.user_id) };
        return (
          <Table.Tr key={params.userId}>
            <Table.Td>
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => <Link to="/app/$appId/users/$userId" params={params} {...props} />}
              >
                {user.name ?? params.userId}
              </Anchor>{' '}
              {user.disabled && <Badge color="gray">{t('operators.disabled')}</Badge>}
              <Text size="xs" c="dimmed">
                {params.userId}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm">{user.mobile}</Table.Td>
            <Table.Td visibleFrom="md">{user.email}</Table.Td>
            <Table.Td ta="right">{ago(user.created_at)}</Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}
