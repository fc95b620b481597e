import { Button, Checkbox, PasswordInput, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Operator, OperatorUpdateRequest } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { DialogForm } from '../../shared/dialog-form.tsx';
import { sessionQuery } from '../../shared/session.ts';
import { useTextFields } from '../../shared/text-fields.ts';

/** A button that changes the account of an operator. */
export function EditOperator({ operator }: { readonly operator: Operator }) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" aria-label={`${t('operators.edit')}: ${operator.name}`} onClick={open}>
        {t('operators.edit')}
      </Button>
      <Dialog opened={opened} close={close} title={t('operators.editTitle')} closeOnClickOutside={false}>
        <EditOperatorForm operator={operator} close={close} />
      </Dialog>
    </>
  );
}

function EditOperatorForm({ operator, close }: { readonly operator: Operator; readonly close: () => void }) {
  const { t } = useTranslation();
  const { api } = useApp();
  const queries = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  // The list can be loaded again while the dialog is open. Only fields that differ from the shown values are sent.
  const [shown] = useState(operator);
  const { values, field } = useTextFields({ email: shown.email, name: shown.name, password: '' });
  const [isPlatform, setPlatform] = useState(shown.is_platform);
  const { operator_id } = shown;
  const changes: Omit<OperatorUpdateRequest, 'operator_id'> = {
    ...(values.email !== shown.email && { email: values.email }),
    ...(values.name !== shown.name && { name: values.name }),
    ...(values.password !== '' && { password: values.password }),
    ...(isPlatform !== shown.is_platform && { is_platform: isPlatform }),
  };
  const request = { operator_id, ...changes };
  const isOwn = operator_id === session.operator_id;
  const update = useMutation({
    mutationFn: () => api.operator.update(request),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['operators'] }),
        // The frame shows the name of the operator.
        isOwn && queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ]);
      close();
    },
  });
  const isRemoved = shown.is_platform && !isPlatform;
  const platformHint = isRemoved
    ? t('operators.removePlatformHint', { name: shown.name })
    : t(isOwn ? 'operators.ownPlatformHint' : 'operators.platformHint');
  const isOidc = shown.sign_in === 'oidc';
  return (
    <DialogForm
      mutation={update}
      failed={t('common.notSaved')}
      submit={t('settings.save')}
      isComplete={Object.keys(changes).length > 0}
      call={{ path: '/operator/update', request: { ...request, ...('password' in changes && { password: '…' }) } }}
    >
      {isOidc && <Text size="sm">{t('operators.oidcHint')}</Text>}
      <TextInput type="email" label={t('signIn.email')} {...field('email')} required data-autofocus />
      <TextInput label={t('operators.name')} {...field('name')} required />
      {!isOidc && (
        <PasswordInput
          label={t('account.newPassword')}
          description={t('operators.newPasswordHint', { name: shown.name })}
          {...field('password')}
          autoComplete="new-password"
          minLength={8}
        />
      )}
      <Checkbox
        label={t('app.platform')}
        description={platformHint}
        checked={isPlatform}
        onChange={(event) => setPlatform(event.currentTarget.checked)}
        // The API does not let operators remove their own role.
        disabled={isOwn}
      />
    </DialogForm>
  );
}
