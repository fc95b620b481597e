import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { Notice } from '../../shared/notice.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { useTextFields } from '../../shared/text-fields.ts';

/** Changes the password of the operator. */
export function PasswordForm() {
  const { t } = useTranslation();
  const { api } = useApp();
  const queries = useQueryClient();
  const { values, field, reset } = useTextFields({ old_password: '', password: '' });
  const change = useMutation({
    mutationFn: () => api.operator.password(values),
    onSuccess: async () => {
      reset();
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={380}>
        {change.error && <ErrorState error={change.error} title={t('account.notChanged')} />}
        {change.isSuccess && (
          <Notice color="green" role="status">
            {t('account.changed')}
          </Notice>
        )}
        <PasswordInput
          label={t('account.oldPassword')}
          {...field('old_password')}
          autoComplete="current-password"
          required
        />
        <PasswordInput
          label={t('account.newPassword')}
          {...field('password')}
          autoComplete="new-password"
          minLength={8}
          required
        />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {t('account.change')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
