import {
  Button,
  Code,
  CopyButton,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminTokenCreateRequest } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { ErrorState } from '../../shared/query-states.tsx';

type Scope = AdminTokenCreateRequest['scopes'][number];
const scopes: readonly Scope[] = ['push', 'manage', 'secrets', '*'];

/** A button that creates an admin token, and shows the token once. */
export function CreateToken() {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>{t('tokens.create')}</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('tokens.create')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <CreateTokenForm close={close} />
      </Modal>
    </>
  );
}

function CreateTokenForm({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(['push']);
  const [days, setDays] = useState<string | number>('');
  const creation = useMutation({
    mutationFn: () =>
      api.admin.token.create({ name: name.trim(), scopes: chosen, ...(days !== '' && { days: Number(days) }) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [app.app_id, 'tokens'] }),
  });
  if (creation.data) return <NewToken token={creation.data.token} close={close} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {creation.error && <ErrorState error={creation.error} title={t('tokens.notCreated')} />}
        <TextInput
          label={t('tokens.name')}
          description={t('tokens.nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          data-autofocus
        />
        <MultiSelect
          label={t('tokens.scopes')}
          data={[...scopes]}
          value={[...chosen]}
          onChange={(values) => setChosen(values as Scope[])}
          required
        />
        <NumberInput
          label={t('tokens.days')}
          description={t('tokens.daysHint')}
          value={days}
          onChange={setDays}
          min={1}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={creation.isPending} disabled={name.trim() === '' || chosen.length === 0}>
            {t('tokens.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function NewToken({ token, close }: { readonly token: string; readonly close: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text size="sm" role="status">
        {t('tokens.once')}
      </Text>
      <Code block tabIndex={0}>
        {token}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} aria-live="polite">
              {copied ? t('common.copied') : t('common.copy')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={close}>{t('common.close')}</Button>
      </Group>
    </Stack>
  );
}
