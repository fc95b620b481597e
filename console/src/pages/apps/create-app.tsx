import { Button, Code, CopyButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminAppCreateResponse } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { ErrorState } from '../../shared/query-states.tsx';
import { sessionQuery } from '../../shared/session.ts';

/** A button that creates an app, and shows its admin token once. */
export function CreateApp() {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>{t('apps.create')}</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('apps.create')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <CreateAppForm />
      </Modal>
    </>
  );
}

function CreateAppForm() {
  const { t } = useTranslation();
  const { api } = useApp();
  const queries = useQueryClient();
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const creation = useMutation({
    mutationFn: () => api.admin.app.create({ new_app_id: id.trim(), name: name.trim() }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['apps'] }),
        queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ]),
  });
  if (creation.data) return <NewApp created={creation.data} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {creation.error && <ErrorState error={creation.error} title={t('apps.notCreated')} />}
        <TextInput
          label={t('apps.id')}
          description={t('apps.idHint')}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          required
          data-autofocus
        />
        <TextInput
          label={t('apps.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
        />
        <Group justify="flex-end">
          <Button type="submit" loading={creation.isPending}>
            {t('apps.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function NewApp({ created: { app_id, admin_token } }: { readonly created: AdminAppCreateResponse }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text size="sm" role="status">
        {t('apps.once', { id: app_id })}
      </Text>
      <Code block tabIndex={0}>
        {admin_token}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={admin_token}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} aria-live="polite">
              {copied ? t('common.copied') : t('common.copy')}
            </Button>
          )}
        </CopyButton>
        <Button renderRoot={(props) => <Link to="/app/$appId" params={{ appId: app_id }} {...props} />}>
          {t('apps.open')}
        </Button>
      </Group>
    </Stack>
  );
}
