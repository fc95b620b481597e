import { Code, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { detailText } from './detail-text.ts';

const PAGE_SIZE = 50;

/** The calls that changed data, latest first. */
export function AuditPage() {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const search = useSearch({ from: '/app/$appId/audit' });
  const { after, operation, text } = search;
  const request = {
    limit: PAGE_SIZE,
    ...(operation !== undefined && { operation }),
    ...(text !== undefined && { text }),
    ...(after !== undefined && { after: BigInt(after) }),
  };
  const entries = useQuery({
    queryKey: [app.app_id, 'audit', search],
    queryFn: () => api.admin.audit.list(request),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={t('audit.title')}
      description={t('audit.description')}
      actions={<ShowAsCode call={{ path: '/admin/audit/list', request }} />}
    >
      <AuditFilters />
      <PagedList
        query={entries}
        order="time"
        empty={({ next }) => (
          <EmptyState title={t('audit.empty')} hint={t(next === null ? 'audit.emptyHint' : 'tasks.searchOn')} />
        )}
      >
        {({ list }) => <AuditTable entries={list} />}
      </PagedList>
    </Page>
  );
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const { t } = useTranslation();
  const { ago, time } = useFormat();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('audit.operation')}</Table.Th>
          <Table.Th>{t('audit.who')}</Table.Th>
          <Table.Th visibleFrom="md">{t('audit.detail')}</Table.Th>
          <Table.Th visibleFrom="lg">{t('audit.address')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Table.Tr key={String(entry.audit_id)}>
            <Table.Td>
              <Code>{entry.operation}</Code>
              <Text size="xs" c="dimmed" title={time(entry.at)}>
                {ago(entry.at)}
              </Text>
              <Detail detail={entry.detail} hiddenFrom="md" />
            </Table.Td>
            <Table.Td>{entry.operator_name ?? (entry.token_name || t('audit.user'))}</Table.Td>
            <Table.Td visibleFrom="md">
              <Detail detail={entry.detail} />
            </Table.Td>
            <Table.Td visibleFrom="lg">{entry.address}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Detail({ detail, hiddenFrom }: { readonly detail: string; readonly hiddenFrom?: 'md' }) {
  return (
    <Text size="xs" lineClamp={3} {...(hiddenFrom && { hiddenFrom })} style={{ overflowWrap: 'anywhere' }}>
      {detailText(detail)}
    </Text>
  );
}
