import { Button, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { channelNames } from '../../shared/channels.ts';
import { DAY_MAX } from '../../shared/days.ts';
import { FilterFold } from '../../shared/filter-fold.tsx';
import { SenderSelect } from '../../shared/sender-select.tsx';
import type { Sender } from '../../shared/senders.ts';
import { audienceKinds, countFilters, type TaskSearch, taskStates } from './task-search.ts';

const TYPING_MS = 400;

/** The filters and the order of the task list. They are part of the address, so that a list can be shared. */
export function TaskFilters({ senders }: { readonly senders: readonly Sender[] }) {
  const { t } = useTranslation();
  const { app } = useApp();
  const navigate = useNavigate();
  const search = useSearch({ from: '/app/$appId/tasks' });
  const change = (fields: { readonly [Name in keyof TaskSearch]: TaskSearch[Name] | undefined }) => {
    // Another filter starts at the first page.
    const changed = Object.entries({ ...search, after: undefined, ...fields }).filter(([, value]) => value);
    const list = { to: '/app/$appId/tasks', params: { appId: app.app_id }, replace: true } as const;
    void navigate({ ...list, search: Object.fromEntries(changed) as TaskSearch });
  };
  const text = useTypedFilter(search.text ?? '', (value) => change({ text: value }));
  const author = useTypedFilter(search.author ?? '', (value) => change({ author: value }));
  const from = useTypedFilter(search.from ?? '', (value) => change({ from: value }));
  const to = useTypedFilter(search.to ?? '', (value) => change({ to: value }));
  const clear = () => {
    for (const { clear } of [text, author, from, to]) clear();
    const { order } = search;
    const list = { to: '/app/$appId/tasks', params: { appId: app.app_id }, replace: true } as const;
    void navigate({ ...list, search: order ? { order } : {} });
  };
  return (
    <FilterFold count={countFilters(search)}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" verticalSpacing="sm">
        <TextInput label={t('tasks.text')} {...text.field} />
        <Select
          label={t('tasks.state')}
          placeholder={t('tasks.any')}
          data={taskStates.map((value) => ({ value, label: t(`tasks.states.${value}`) }))}
          value={search.state ?? null}
          onChange={(state) => change({ state: (state ?? undefined) as TaskSearch['state'] })}
          clearable
        />
        <Select
          label={t('tasks.audience')}
          placeholder={t('tasks.any')}
          data={audienceKinds.map((value) => ({ value, label: t(`tasks.audiences.${value}`) }))}
          value={search.audience ?? null}
          onChange={(audience) => change({ audience: (audience ?? undefined) as TaskSearch['audience'] })}
          clearable
        />
        <Select
          label={t('tasks.failedOn')}
          placeholder={t('tasks.any')}
          data={channelNames.map((value) => ({ value, label: t(`channel.${value}`) }))}
          value={search.failed ?? null}
          onChange={(failed) => change({ failed: (failed ?? undefined) as TaskSearch['failed'] })}
          clearable
        />
        <SenderSelect label={t('senders.label')} value={search.by} onChange={(by) => change({ by })} known={senders} />
        <TextInput label={t('tasks.author')} placeholder={t('tasks.authorPlaceholder')} {...author.field} />
        <TextInput type="date" label={t('tasks.from')} max={DAY_MAX} {...from.field} />
        <TextInput type="date" label={t('tasks.to')} max={DAY_MAX} {...to.field} />
        <Select
          label={t('tasks.order')}
          data={[
            { value: '', label: t('tasks.newestFirst') },
            { value: 'oldest', label: t('tasks.oldestFirst') },
          ]}
          value={search.order ?? ''}
          onChange={(order) => change({ order: (order || undefined) as TaskSearch['order'] })}
          allowDeselect={false}
        />
        {countFilters(search) > 0 && (
          <Button variant="default" mt="auto" onClick={clear}>
            {t('tasks.clear')}
          </Button>
        )}
      </SimpleGrid>
    </FilterFold>
  );
}

/**
 * A field whose value becomes a part of the address when the operator stops typing. The value of a date changes with
 * each digit of the year, and a date from the address would clear the digits.
 */
function useTypedFilter(inAddress: string, write: (value: string) => void) {
  const [value, setValue] = useState(inAddress);
  const written = useRef(inAddress);
  const writeLater = useDebouncedCallback((typed: string) => {
    written.current = typed.trim();
    write(written.current);
  }, TYPING_MS);
  const show = useCallback(
    (shown: string) => {
      writeLater.cancel();
      written.current = shown;
      setValue(shown);
    },
    [writeLater],
  );
  // A link can change the address without this field.
  useEffect(() => {
    if (inAddress !== written.current) show(inAddress);
  }, [inAddress, show]);
  return {
    field: {
      value,
      onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
        setValue(event.currentTarget.value);
        writeLater(event.currentTarget.value);
      },
    },
    clear: () => show(''),
  };
}
