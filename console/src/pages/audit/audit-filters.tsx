import { Button, Group, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';

/** The filters of the audit log. They are part of the address. */
export function AuditFilters() {
  const { t } = useTranslation();
  const { app } = useApp();
  const navigate = useNavigate();
  const search = useSearch({ from: '/app/$appId/audit' });
  const [operation, setOperation] = useState(search.operation ?? '');
  const [text, setText] = useState(search.text ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filters = {
      ...(operation.trim() !== '' && { operation: operation.trim() }),
      ...(text.trim() !== '' && { text: text.trim() }),
    };
    void navigate({ to: '/app/$appId/audit', params: { appId: app.app_id }, search: filters });
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t('audit.operation')}
            placeholder="/admin/user/"
            value={operation}
            onChange={(event) => setOperation(event.currentTarget.value)}
          />
          <TextInput label={t('audit.text')} value={text} onChange={(event) => setText(event.currentTarget.value)} />
          <Button type="submit" variant="default">
            {t('find.search')}
          </Button>
        </Group>
      </form>
    </search>
  );
}
