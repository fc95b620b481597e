import { Button, Checkbox, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { ErrorState } from '../../shared/query-states.tsx';

/** A button that creates an operator with a password. */
export function CreateOperator() {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>{t('operators.create')}</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('operators.create')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <CreateOperatorForm close={close} />
      </Modal>
    </>
  );
}

function CreateOperatorForm({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const { api } = useApp();
  const queries = useQueryClient();
  const [fields, setFields] = useState({ email: '', name: '', password: '', is_platform: false });
  const change = (changed: Partial<typeof fields>) => setFields((current) => ({ ...current, ...changed }));
  const creation = useMutation({
    mutationFn: () => api.operator.create(fields),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['operators'] });
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {creation.error && <ErrorState error={creation.error} title={t('operators.failed')} />}
        <TextInput
          type="email"
          label={t('signIn.email')}
          value={fields.email}
          onChange={(event) => change({ email: event.currentTarget.value })}
          required
          data-autofocus
        />
        <TextInput
          label={t('operators.name')}
          value={fields.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          required
        />
        <PasswordInput
          label={t('signIn.password')}
          description={t('operators.passwordHint')}
          value={fields.password}
          onChange={(event) => change({ password: event.currentTarget.value })}
          autoComplete="new-password"
          required
        />
        <Checkbox
          label={t('app.platform')}
          description={t('operators.platformHint')}
          checked={fields.is_platform}
          onChange={(event) => change({ is_platform: event.currentTarget.checked })}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={creation.isPending}>
            {t('operators.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
