import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { DialogButton } from '../../shared/dialog-button.tsx';
import { DialogForm } from '../../shared/dialog-form.tsx';
import { useTextFields } from '../../shared/text-fields.ts';

/** A button that creates an operator with a password. */
export function CreateOperator() {
  const { t } = useTranslation();
  return (
    <DialogButton label={t('operators.create')} closeOnClickOutside={false}>
      {(close) => <CreateOperatorForm close={close} />}
    </DialogButton>
  );
}

function CreateOperatorForm({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const { api } = useApp();
  const queries = useQueryClient();
  const { values, field } = useTextFields({ email: '', name: '', password: '' });
  const [is_platform, setPlatform] = useState(false);
  const request = { ...values, is_platform };
  const creation = useMutation({
    mutationFn: () => api.operator.create(request),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['operators'] });
      close();
    },
  });
  return (
    <DialogForm
      mutation={creation}
      failed={t('common.notSaved')}
      submit={t('operators.create')}
      call={{ path: '/operator/create', request: { ...request, password: '…' } }}
    >
      <TextInput type="email" label={t('signIn.email')} {...field('email')} required data-autofocus />
      <TextInput label={t('operators.name')} {...field('name')} required />
      <PasswordInput
        label={t('signIn.password')}
        description={t('operators.passwordHint')}
        {...field('password')}
        autoComplete="new-password"
        required
      />
      <Checkbox
        label={t('app.platform')}
        description={t('operators.platformHint')}
        checked={is_platform}
        onChange={(event) => setPlatform(event.currentTarget.checked)}
      />
    </DialogForm>
  );
}
