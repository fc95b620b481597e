import { Button, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressValues } from '../../shared/address-values.ts';
import { useApp } from '../../shared/api.ts';
import { DAY_MAX } from '../../shared/days.ts';
import { FilterFold } from '../../shared/filter-fold.tsx';
import { SenderSelect } from '../../shared/sender-select.tsx';
import type { Sender } from '../../shared/senders.ts';
import { countFilters, toAuditSearch } from './audit-search.ts';

/** The filters and the order of the audit log. They are part of the address. */
export function AuditFilters({ callers }: { readonly callers: readonly Sender[] }) {
  const { t } = useTranslation();
  const { app } = useApp();
  const navigate = useNavigate();
  const search = useSearch({ from: '/app/$appId/audit' });
  const [filters, setFilters] = useAddressValues(search);
  const to = { to: '/app/$appId/audit', params: { appId: app.app_id } } as const;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { operation = '', text = '', after: _, ...others } = filters;
    void navigate({ ...to, search: toAuditSearch({ ...others, operation: operation.trim(), text: text.trim() }) });
  };
  const field = (name: 'operation' | 'text' | 'from' | 'to') => ({
    value: filters[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      setFilters({ ...filters, [name]: event.currentTarget.value }),
  });
  return (
    <FilterFold count={countFilters(search)}>
      <form onSubmit={submit}>
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" verticalSpacing="sm">
          <TextInput
            label={t('audit.operation')}
            placeholder={search.installation ? '/operator/' : '/admin/user/'}
            {...field('operation')}
          />
          <TextInput label={t('audit.text')} {...field('text')} />
          <SenderSelect
            label={t('audit.who')}
            value={filters.by}
            onChange={(by) => setFilters(toAuditSearch({ ...filters, by }))}
            known={callers}
          />
          <TextInput type="date" label={t('tasks.from')} max={DAY_MAX} {...field('from')} />
          <TextInput type="date" label={t('tasks.to')} max={DAY_MAX} {...field('to')} />
          <Select
            label={t('tasks.order')}
            data={[
              { value: '', label: t('tasks.newestFirst') },
              { value: 'oldest', label: t('tasks.oldestFirst') },
            ]}
            value={filters.order ?? ''}
            onChange={(order) => setFilters(toAuditSearch({ ...filters, order }))}
            allowDeselect={false}
          />
          <Button type="submit" variant="default" mt="auto">
            {t('find.search')}
          </Button>
        </SimpleGrid>
      </form>
    </FilterFold>
  );
}
