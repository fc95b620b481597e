import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { DialogButton } from '../../shared/dialog-button.tsx';
import { DialogForm } from '../../shared/dialog-form.tsx';

/** A button that creates an operator with a password. */
export function CreateOperator() {
  const { t } = useTranslation();
  return <DialogButton label={t('operators.create')}>{(close) => <CreateOperatorForm close={close} />}</DialogButton>;
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
  return (
    <DialogForm
      mutation={creation}
      failed={t('operators.failed')}
      submit={t('operators.create')}
      call={{ path: '/operator/create', request: { ...fields, password: '…' } }}
    >
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
    </DialogForm>
  );
}
