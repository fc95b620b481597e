import { Button, Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminAppUpdateRequest, App } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { Notice } from '../../shared/notice.tsx';
import { Page, Section } from '../../shared/page.tsx';
import { ErrorState, QueryStates } from '../../shared/query-states.tsx';
import { sessionQuery } from '../../shared/session.ts';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import classes from './settings.module.css';

/** The settings of this app. Other roles than admin can read them. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const details = useQuery({ queryKey: [app.app_id, 'app'], queryFn: () => api.admin.app.get() });
  return (
    <Page title={t('settings.title')} description={app.app_id}>
      {!can('admin') && (
        <Notice color="blue" title={t('settings.adminOnly')}>
          {t('settings.adminOnlyHint')}
        </Notice>
      )}
      <QueryStates query={details}>{(found) => <SettingsForm key={found.app_id} app={found} />}</QueryStates>
    </Page>
  );
}

/** The label of a setting on the left, and its control on the right. */
const row = { root: classes.row, wrapper: classes.control };
const switchRow = { labelPosition: 'left', classNames: { body: classes.switch } } as const;

const userPushes = ['none', 'self', 'any'] as const;

/** The fields of the form. Numbers are texts while the operator types. */
const valuesOf = (app: App) => ({
  name: app.name,
  notify_per_second: String(app.notify_per_second),
  approval_above: app.approval_above === null ? '' : String(app.approval_above),
  token_days: String(app.token_days),
  country: app.country,
  user_push: app.user_push,
  registration: app.registration,
  reject_typos: app.reject_typos,
});
type Values = ReturnType<typeof valuesOf>;

const toRequest = (values: Values): AdminAppUpdateRequest => ({
  ...values,
  name: values.name.trim(),
  notify_per_second: Number(values.notify_per_second),
  approval_above: values.approval_above === '' ? -1 : Number(values.approval_above),
  token_days: Number(values.token_days),
});

/** Returns the fields of `changed` that are not the same in `saved`. */
function differences(saved: AdminAppUpdateRequest, changed: AdminAppUpdateRequest): AdminAppUpdateRequest {
  const before = new Map(Object.entries(saved));
  return Object.fromEntries(Object.entries(changed).filter(([name, value]) => before.get(name) !== value));
}

/** A request, and the edits that it contains. */
interface Sent {
  readonly request: AdminAppUpdateRequest;
  readonly edits: Partial<Values>;
}

/** Returns the edits that were made while others were saved. */
const laterEdits = (saved: Partial<Values>, edits: Partial<Values>): Partial<Values> => {
  const before = new Map<string, unknown>(Object.entries(saved));
  return Object.fromEntries(Object.entries(edits).filter(([name, value]) => before.get(name) !== value));
};

function SettingsForm({ app }: { readonly app: App }) {
  const { t } = useTranslation();
  const { api, can } = useApp();
  const queries = useQueryClient();
  const [edits, setEdits] = useState<Partial<Values>>({});
  const values: Values = { ...valuesOf(app), ...edits };
  // A field that is not sent keeps its value, which another admin may have changed since the page was opened.
  const request = differences(toRequest(valuesOf(app)), toRequest(values));
  const isChanged = Object.keys(request).length > 0;
  const save = useMutation({
    mutationFn: (sent: Sent) => api.admin.app.update(sent.request),
    onSuccess: async (_updated, sent) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: [app.app_id] }),
        queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ]);
      setEdits((current) => laterEdits(sent.edits, current));
    },
  });
  const change = (part: Partial<Values>) => {
    // A running call keeps its button disabled.
    if (!save.isPending) save.reset();
    setEdits((current) => ({ ...current, ...part }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged && !save.isPending) save.mutate({ request, edits });
  };
  const isFixed = !can('admin');
  const numberField = (name: 'notify_per_second' | 'approval_above' | 'token_days') => ({
    value: values[name],
    onChange: (value: string | number) => change({ [name]: String(value) }),
    allowDecimal: false,
    disabled: isFixed,
  });
  const switchField = (name: 'registration' | 'reject_typos') => ({
    checked: values[name],
    onChange: (event: { currentTarget: { checked: boolean } }) => change({ [name]: event.currentTarget.checked }),
    disabled: isFixed,
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Section title={t('apps.app')}>
          <TextInput
            classNames={row}
            label={t('apps.name')}
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            disabled={isFixed}
          />
        </Section>
        <Section title={t('sections.send')}>
          <NumberInput
            classNames={row}
            label={t('settings.approval')}
            description={t('settings.approvalHint')}
            min={0}
            {...numberField('approval_above')}
          />
          <NumberInput
            classNames={row}
            label={t('settings.rate')}
            description={t('settings.rateHint')}
            min={0}
            required
            {...numberField('notify_per_second')}
          />
          <Select
            classNames={row}
            label={t('settings.userPush')}
            data={userPushes.map((value) => ({ value, label: t(`settings.userPushes.${value}`) }))}
            value={values.user_push}
            onChange={(value) => value && change({ user_push: value })}
            allowDeselect={false}
            disabled={isFixed}
          />
          <Switch {...switchRow} label={t('settings.typos')} {...switchField('reject_typos')} />
        </Section>
        <Section title={t('users.title')}>
          <Switch {...switchRow} label={t('settings.registration')} {...switchField('registration')} />
          <TextInput
            classNames={row}
            label={t('settings.country')}
            description={t('settings.countryHint')}
            value={values.country}
            onChange={(event) => change({ country: event.currentTarget.value.toUpperCase() })}
            maxLength={2}
            required
            disabled={isFixed}
          />
          <NumberInput
            classNames={row}
            label={t('settings.tokenDays')}
            min={1}
            max={3650}
            required
            {...numberField('token_days')}
          />
        </Section>
        {save.error && <ErrorState error={save.error} title={t('common.notSaved')} />}
        {save.isSuccess && !isChanged && (
          <Notice color="green" role="status">
            {t('settings.saved')}
          </Notice>
        )}
        <Group justify="flex-end">
          {isChanged && <ShowAsCode call={{ path: '/admin/app/update', request }} />}
          {!isFixed && (
            <Button type="submit" loading={save.isPending} disabled={!isChanged}>
              {t('settings.save')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
