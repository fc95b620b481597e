import { Button, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import type { ChannelName } from '../../shared/channels.ts';
import { audienceKinds, failedChannels, type TaskSearch, taskStates } from './task-search.ts';

const TYPING_MS = 400;

/** The filters of the task list. They are part of the address, so that a filtered list can be shared. */
export function TaskFilters() {
  const { t } = useTranslation();
  const { app } = useApp();
  const navigate = useNavigate();
  const search = useSearch({ from: '/app/$appId/tasks' });
  const [text, setText] = useState(search.text ?? '');
  const [author, setAuthor] = useState(search.author ?? '');
  const change = (fields: { readonly [Name in keyof TaskSearch]: TaskSearch[Name] | undefined }) => {
    // Another filter starts at the first page.
    const changed = Object.entries({ ...search, after: undefined, ...fields }).filter(([, value]) => value);
    const to = { to: '/app/$appId/tasks', params: { appId: app.app_id }, replace: true } as const;
    void navigate({ ...to, search: Object.fromEntries(changed) as TaskSearch });
  };
  const searchText = useDebouncedCallback((value: string) => change({ text: value.trim() }), TYPING_MS);
  const searchAuthor = useDebouncedCallback((value: string) => change({ author: value.trim() }), TYPING_MS);
  const isFiltered = Object.keys(search).some((name) => name !== 'after');
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" verticalSpacing="sm">
      <TextInput
        label={t('tasks.text')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          searchText(event.currentTarget.value);
        }}
      />
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
        data={failedChannels.map((value) => ({ value, label: t(`channel.${value as ChannelName}`) }))}
        value={search.failed ?? null}
        onChange={(failed) => change({ failed: (failed ?? undefined) as TaskSearch['failed'] })}
        clearable
      />
      <TextInput
        label={t('tasks.author')}
        placeholder={t('tasks.authorPlaceholder')}
        value={author}
        onChange={(event) => {
          setAuthor(event.currentTarget.value);
          searchAuthor(event.currentTarget.value);
        }}
      />
      <TextInput
        type="date"
        label={t('tasks.from')}
        value={search.from ?? ''}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('tasks.to')}
        value={search.to ?? ''}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
      {isFiltered && (
        <Button
          variant="default"
          mt="auto"
          onClick={() => {
            setText('');
            setAuthor('');
            void navigate({ to: '/app/$appId/tasks', params: { appId: app.app_id }, search: {}, replace: true });
          }}
        >
          {t('tasks.clear')}
        </Button>
      )}
    </SimpleGrid>
  );
}
