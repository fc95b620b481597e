import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { DialogButton } from '../../shared/dialog-button.tsx';
import { DialogForm } from '../../shared/dialog-form.tsx';
import { Secret } from '../../shared/secret.tsx';
import { sessionQuery } from '../../shared/session.ts';
import { useTextFields } from '../../shared/text-fields.ts';

/** A button that creates an app, and shows its admin token once. */
export function CreateApp() {
  const { t } = useTranslation();
  return (
    <DialogButton label={t('apps.create')} closeOnClickOutside={false}>
      {(close) => <CreateAppForm close={close} />}
    </DialogButton>
  );
}

function CreateAppForm({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const { api } = useApp();
  const queries = useQueryClient();
  const { values, field } = useTextFields({ id: '', name: '' });
  const request = { new_app_id: values.id.trim(), name: values.name.trim() };
  const creation = useMutation({
    mutationFn: () => api.admin.app.create(request),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['apps'] }),
        queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ]),
  });
  if (creation.data) {
    const { app_id, admin_token } = creation.data;
    return (
      <Secret text={t('apps.once', { id: app_id })} secret={admin_token}>
        <Button variant="default" onClick={close}>
          {t('common.close')}
        </Button>
        <Button renderRoot={(props) => <Link to="/app/$appId" params={{ appId: app_id }} ignoreBlocker {...props} />}>
          {t('apps.open')}
        </Button>
      </Secret>
    );
  }
  return (
    <DialogForm
      mutation={creation}
      failed={t('apps.notCreated')}
      submit={t('apps.create')}
      isComplete={request.new_app_id !== '' && request.name !== ''}
      call={{ path: '/admin/app/create', request }}
    >
      <TextInput label={t('apps.id')} description={t('apps.idHint')} {...field('id')} required data-autofocus />
      <TextInput label={t('apps.name')} {...field('name')} required />
    </DialogForm>
  );
}
