import { Code, Group, SegmentedControl, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import type { Sender } from '../../shared/senders.ts';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import classes from './audit.module.css';
import { AuditFilters } from './audit-filters.tsx';
import { toAuditRequest, toAuditSearch } from './audit-search.ts';
import { detailText } from './detail-text.ts';
import { mergeResults } from './merge-results.ts';

const PAGE_SIZE = 50;

/** The calls that changed data, latest first unless the address contains another order. */
export function AuditPage() {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const search = useSearch({ from: '/app/$appId/audit' });
  const request = { limit: PAGE_SIZE, ...toAuditRequest(search) };
  const entries = useQuery({
    queryKey: [app.app_id, 'audit', search],
    queryFn: () => api.admin.audit.list(request),
    placeholderData: keepPreviousData,
  });
  const searchOn = search.order ? 'audit.searchOnNewer' : 'audit.searchOn';
  return (
    <Page
      title={t('audit.title')}
      description={t(search.installation ? 'audit.installationDescription' : 'audit.description')}
      actions={<ShowAsCode call={{ path: '/admin/audit/list', request }} />}
    >
      {can('platform') && <ScopeFilter />}
      <AuditFilters callers={callersOf(entries.data?.list ?? [])} />
      <PagedList
        query={entries}
        order={search.order ?? 'newest'}
        empty={({ next }) => (
          <EmptyState title={t('audit.empty')} hint={t(next === null ? 'audit.emptyHint' : searchOn)} />
        )}
      >
        {({ list }) => <AuditTable entries={mergeResults(list)} />}
      </PagedList>
    </Page>
  );
}

const callersOf = (entries: readonly AuditEntry[]): readonly Sender[] =>
  entries.flatMap(({ operator_id, operator_name, token_id, token_name }): Sender[] => {
    if (operator_id !== null) return [{ kind: 'operator', id: operator_id, name: operator_name ?? token_name }];
    return token_id > 0n ? [{ kind: 'admin', id: token_id, name: token_name }] : [];
  });

/** Selects the entries of the app, or those of the installation. It is part of the address, like the other filters. */
function ScopeFilter() {
  const { t } = useTranslation();
  const { app } = useApp();
  const navigate = useNavigate();
  const search = useSearch({ from: '/app/$appId/audit' });
  const show = (installation: string) =>
    void navigate({
      to: '/app/$appId/audit',
      params: { appId: app.app_id },
      search: toAuditSearch({ ...search, installation, after: undefined }),
    });
  return (
    <Group>
      <SegmentedControl
        aria-label={t('audit.scope')}
        data={[
          { value: 'false', label: t('audit.ofApp') },
          { value: 'true', label: t('audit.ofInstallation') },
        ]}
        value={search.installation ?? 'false'}
        onChange={show}
      />
    </Group>
  );
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const { t } = useTranslation();
  const { ago, time } = useFormat();
  return (
    <DataTable
      head={
        <>
          <Table.Th>{t('audit.operation')}</Table.Th>
          <Table.Th visibleFrom="md">{t('audit.detail')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('audit.who')}</Table.Th>
          <Table.Th visibleFrom="sm" ta="right">
            {t('audit.time')}
          </Table.Th>
        </>
      }
    >
      {entries.map((entry) => (
        <Table.Tr key={String(entry.audit_id)}>
          <Table.Td>
            <Code className={classes.operation}>{entry.operation}</Code>
            <Detail detail={entry.detail} hiddenFrom="md" />
            <Text size="xs" hiddenFrom="sm">
              {whoOf(entry)} · <span title={time(entry.at)}>{ago(entry.at)}</span>
            </Text>
          </Table.Td>
          <Table.Td visibleFrom="md">
            <Detail detail={entry.detail} />
          </Table.Td>
          <Table.Td visibleFrom="sm">
            {whoOf(entry)}
            <Text size="xs" c="dimmed">
              {entry.address}
            </Text>
          </Table.Td>
          <Table.Td visibleFrom="sm" ta="right" className={classes.time}>
            {time(entry.at)}
            <Text size="xs" c="dimmed">
              {ago(entry.at)}
            </Text>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );

  function whoOf({ operator_name, token_name }: AuditEntry): string {
    return operator_name ?? (token_name || t('audit.user'));
  }
}

function Detail({ detail, hiddenFrom }: { readonly detail: string; readonly hiddenFrom?: 'md' }) {
  const text = detailText(detail);
  if (text === '') return null;
  return (
    <Text size="sm" lineClamp={3} {...(hiddenFrom && { hiddenFrom })} className={classes.text} title={text}>
      {text}
    </Text>
  );
}
