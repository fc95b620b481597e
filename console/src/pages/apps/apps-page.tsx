import { Anchor, Badge, Button, Group, Paper, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { App } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { EmptyState, ErrorState, QueryStates } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { CreateApp } from './create-app.tsx';

/** All apps of the installation, for platform operators. */
export function AppsPage() {
  const { t } = useTranslation();
  const { api } = useApp();
  const apps = useQuery({ queryKey: ['apps'], queryFn: () => api.admin.app.list() });
  return (
    <Page
      title={t('apps.title')}
      description={t('apps.description')}
      actions={
        <>
          <ShowAsCode call={{ path: '/admin/app/list', request: {} }} />
          <CreateApp />
        </>
      }
    >
      <QueryStates query={apps}>
        {(list) => (
          <Paper withBorder>
            {list.length > 0 ? (
              <AppTable apps={list} />
            ) : (
              <EmptyState title={t('apps.empty')} hint={t('apps.emptyHint')} />
            )}
          </Paper>
        )}
      </QueryStates>
    </Page>
  );
}

function AppTable({ apps }: { readonly apps: readonly App[] }) {
  const { t } = useTranslation();
  return (
    <Table highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('apps.app')}</Table.Th>
          <Table.Th visibleFrom="sm" ta="right">
            {t('overview.users')}
          </Table.Th>
          <Table.Th ta="right">{t('overview.devices')}</Table.Th>
          <Table.Th visibleFrom="md" ta="right">
            {t('overview.sessions')}
          </Table.Th>
          <Table.Th />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {apps.map((app) => (
          <AppRow key={app.app_id} row={app} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function AppRow({ row }: { readonly row: App }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const params = { appId: row.app_id };
  const target = { target_app_id: row.app_id };
  const confirm = useConfirm();
  const refresh = () => queries.invalidateQueries({ queryKey: ['apps'] });
  const enabling = useMutation({ mutationFn: () => api.admin.app.enable(target), onSuccess: refresh });
  const disable = () =>
    confirm({
      title: t('apps.disableTitle'),
      text: t('apps.disableText', { name: row.name || row.app_id }),
      action: t('operators.disable'),
      call: { path: '/admin/app/disable', request: target },
      run: () => api.admin.app.disable(target).then(refresh),
    });
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/app/$appId" params={params} {...props} />}>
          {row.name || row.app_id}
        </Anchor>{' '}
        {row.disabled && <Badge color="gray">{t('operators.disabled')}</Badge>}
        <Text size="xs" c="dimmed">
          {row.app_id}
        </Text>
        {enabling.error && <ErrorState error={enabling.error} title={t('operators.failed')} />}
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {number(row.usage.users)}
      </Table.Td>
      <Table.Td ta="right">{number(row.usage.devices)}</Table.Td>
      <Table.Td visibleFrom="md" ta="right">
        {number(row.usage.sessions)}
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end">
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                to="/app/$appId/settings"
                params={params}
                aria-label={t('apps.settingsOf', { name: row.name || row.app_id })}
                {...props}
              />
            )}
          >
            {t('nav.settings')}
          </Anchor>
          {row.app_id !== app.app_id && (
            <Button
              size="xs"
              variant="default"
              loading={enabling.isPending}
              aria-label={`${t(row.disabled ? 'operators.enable' : 'operators.disable')}: ${row.name || row.app_id}`}
              onClick={() => (row.disabled ? enabling.mutate() : disable())}
            >
              {t(row.disabled ? 'operators.enable' : 'operators.disable')}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
