import { Button, MultiSelect, NumberInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminTokenCreateRequest } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { DialogButton } from '../../shared/dialog-button.tsx';
import { DialogForm } from '../../shared/dialog-form.tsx';
import { isId } from '../../shared/ids.ts';
import { Secret } from '../../shared/secret.tsx';
import { useTextFields } from '../../shared/text-fields.ts';

type Scope = AdminTokenCreateRequest['scopes'][number];
const scopes: readonly Scope[] = ['push', 'manage', 'secrets', '*'];

/** A button that creates an admin token, and shows the token once. */
export function CreateToken() {
  const { t } = useTranslation();
  return (
    <DialogButton label={t('tokens.create')} closeOnClickOutside={false}>
      {(close) => <CreateTokenForm close={close} />}
    </DialogButton>
  );
}

function CreateTokenForm({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const { values, field } = useTextFields({ name: '', group: '' });
  const [chosen, setChosen] = useState<readonly Scope[]>(['push']);
  const [days, setDays] = useState<string | number>('');
  const group = values.group.trim();
  const isGroupValid = group === '' || isId(group);
  const request = {
    name: values.name.trim(),
    scopes: chosen,
    ...(isId(group) && { group_id: BigInt(group) }),
    ...(days !== '' && { days: Number(days) }),
  };
  const creation = useMutation({
    mutationFn: () => api.admin.token.create(request),
    onSuccess: () => queries.invalidateQueries({ queryKey: [app.app_id, 'tokens'] }),
  });
  if (creation.data)
    return (
      <Secret text={t('tokens.once')} secret={creation.data.token}>
        <Button onClick={close}>{t('common.close')}</Button>
      </Secret>
    );
  return (
    <DialogForm
      mutation={creation}
      failed={t('tokens.notCreated')}
      submit={t('tokens.create')}
      isComplete={request.name !== '' && chosen.length > 0 && isGroupValid}
      call={{ path: '/admin/token/create', request }}
    >
      <TextInput
        label={t('tokens.name')}
        description={t('tokens.nameHint')}
        {...field('name')}
        required
        data-autofocus
      />
      <MultiSelect
        label={t('tokens.scopes')}
        data={scopes.map((value) => ({ value, label: value === '*' ? t('tokens.all') : value }))}
        value={[...chosen]}
        onChange={(list) => setChosen(list as Scope[])}
        required
      />
      <TextInput
        label={t('groups.id')}
        description={t('tokens.groupHint')}
        {...field('group')}
        error={!isGroupValid && t('compose.idInvalid')}
        inputMode="numeric"
      />
      <NumberInput
        label={t('tokens.days')}
        description={t('tokens.daysHint')}
        value={days}
        onChange={setDays}
        min={1}
        allowDecimal={false}
      />
    </DialogForm>
  );
}
