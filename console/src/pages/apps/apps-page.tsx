import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { App } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { DisableButton } from '../../shared/disable-button.tsx';
import { ForRole } from '../../shared/for-role.tsx';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { WholeList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { sessionQuery } from '../../shared/session.ts';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import classes from './apps.module.css';
import { CreateApp } from './create-app.tsx';

/** All apps of the installation, for platform operators. */
export function AppsPage() {
  const { t } = useTranslation();
  return (
    <ForRole needs="platform" title={t('apps.title')}>
      <Apps />
    </ForRole>
  );
}

function Apps() {
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
      <WholeList query={apps} empty={<EmptyState title={t('apps.empty')} hint={t('apps.emptyHint')} />}>
        {(list) => <AppTable apps={list} />}
      </WholeList>
    </Page>
  );
}

function AppTable({ apps }: { readonly apps: readonly App[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      highlightOnHover
      head={
        <>
          <Table.Th>{t('apps.app')}</Table.Th>
          <Table.Th visibleFrom="sm" ta="right">
            {t('overview.users')}
          </Table.Th>
          <Table.Th ta="right">{t('overview.devices')}</Table.Th>
          <Table.Th visibleFrom="md" ta="right">
            {t('overview.sessions')}
          </Table.Th>
          <Table.Th />
        </>
      }
    >
      {apps.map((app) => (
        <AppRow key={app.app_id} row={app} />
      ))}
    </DataTable>
  );
}

/** Every call for a disabled app is rejected, so its row has no links. */
function AppRow({ row }: { readonly row: App }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const params = { appId: row.app_id };
  const target = { target_app_id: row.app_id };
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['apps'] }),
      queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ]);
  const name = row.name || row.app_id;
  return (
    <Table.Tr>
      <Table.Td>
        {row.disabled ? (
          <Text span size="sm" fw={500}>
            {name}
          </Text>
        ) : (
          <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/app/$appId" params={params} {...props} />}>
            {name}
          </Anchor>
        )}{' '}
        {row.disabled && <Badge color="gray">{t('operators.disabled')}</Badge>}
        <Text size="xs" c="dimmed">
          {row.app_id}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {number(row.usage.users)}
      </Table.Td>
      <Table.Td ta="right">{number(row.usage.devices)}</Table.Td>
      <Table.Td visibleFrom="md" ta="right">
        {number(row.usage.sessions)}
      </Table.Td>
      <Table.Td>
        <Group gap="sm" justify="flex-end" className={classes.actions}>
          {!row.disabled && (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/app/$appId/settings"
                  params={params}
                  aria-label={t('apps.settingsOf', { name })}
                  {...props}
                />
              )}
            >
              {t('nav.settings')}
            </Anchor>
          )}
          {row.app_id !== app.app_id && (
            <DisableButton
              isDisabled={row.disabled}
              name={name}
              disable={{
                title: t('apps.disableTitle'),
                text: t('apps.disableText', { name }),
                call: { path: '/admin/app/disable', request: target },
                run: () => api.admin.app.disable(target).then(refresh),
              }}
              enable={{
                title: t('apps.enableTitle'),
                text: t('apps.enableText', { name }),
                call: { path: '/admin/app/enable', request: target },
                run: () => api.admin.app.enable(target).then(refresh),
              }}
            />
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
