import { Button, Group, NumberInput, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ClipboardEvent, type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminCertificateSaveRequest, Certificate } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import type { ApiCall } from '../../shared/code-samples.ts';
import { Notice } from '../../shared/notice.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { CodeDetails, ShowAsCode } from '../../shared/show-as-code.tsx';
import { CheckResult } from './check-result.tsx';
import { FileDrop, FileOutcome } from './file-drop.tsx';
import { type FileResult, readVendorFile } from './vendor-file.ts';
import {
  type FormField,
  type FormValues,
  parseObject,
  providerOf,
  toFormValues,
  toSaveRequest,
  type VendorChannel,
  vendorForms,
} from './vendor-forms.ts';

interface CredentialFormProps {
  readonly channel: VendorChannel;
  readonly environment: number;
  /** The credentials that the form replaces. */
  readonly saved: Certificate | undefined;
}

/** The values of one vendor. A file fills them in, and saving checks them at the vendor. */
export function CredentialForm({ channel, environment, saved }: CredentialFormProps) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const [values, setValues] = useState<FormValues>(() => startValues(channel, t(`channel.${channel}`), saved));
  const [file, setFile] = useState<{ name: string; result: FileResult }>();
  const form = vendorForms[channel];
  const savedKey = { provider: providerOf(channel), environment };
  const request = toSaveRequest(channel, environment, values);
  const save = useMutation({
    mutationFn: async (body: AdminCertificateSaveRequest) =>
      api.admin.certificate.save(keepsSettings ? await withSavedSettings(body) : body),
    onSuccess: () => check.mutate(),
  });
  const check = useMutation({
    mutationFn: () => api.admin.certificate.check(savedKey),
    onSettled: () => queries.invalidateQueries({ queryKey: [app.app_id] }),
  });
  const load = useMutation({
    mutationFn: () => api.push.certificate(savedKey),
    onSuccess: (loaded) => change(toFormValues(channel, loaded)),
  });
  // Web Push keeps its keys, so the contact can be changed alone. The API would remove settings that are not sent.
  const keepsSettings = channel === 'webpush' && saved !== undefined && !load.data && values.certificate.trim() === '';
  const withSavedSettings = async (body: AdminCertificateSaveRequest): Promise<AdminCertificateSaveRequest> => {
    const { certificate } = await api.push.certificate(savedKey);
    return certificate === '' ? body : { ...body, certificate };
  };
  const isSaving = save.isPending || check.isPending;
  const change = (part: Partial<FormValues>) => {
    // A running call keeps its button disabled, and its result is shown.
    if (!isSaving) {
      save.reset();
      check.reset();
    }
    setValues((current) => ({ ...current, ...part }));
  };
  const readFile = (name: string, bytes: Uint8Array) => {
    const result = readVendorFile(channel, name, bytes);
    setFile({ name, result });
    if ('values' in result) change(result.values);
    return 'values' in result;
  };
  const paste = (event: ClipboardEvent) => {
    const bytes = new TextEncoder().encode(event.clipboardData.getData('text'));
    const result = readVendorFile(channel, '', bytes);
    // Text that is no file of a vendor can be a part of the settings.
    if (form.files === undefined || ('problem' in result && result.problem === 'unknown')) return;
    if (readFile('', bytes)) event.preventDefault();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFile(undefined);
    if (request && !isSaving) save.mutate(request);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {saved && (
          <LoadSaved
            isLoading={load.isPending}
            load={() => load.mutate()}
            call={{ path: '/push/certificate', request: savedKey }}
          />
        )}
        {load.error && <ErrorState error={load.error} />}
        {form.files && <FileDrop types={form.files} onFile={readFile} />}
        {file && <FileOutcome {...file} />}
        {form.fields.map((field) => (
          <Field key={field.name} field={field} values={values} change={change} paste={paste} />
        ))}
        {channel === 'webpush' && (
          <Text size="sm">
            {t('setup.keyPair')} {keepsSettings && `${t('setup.settingsKept')} ${t('setup.loadAudit')}`}
          </Text>
        )}
        <Group grow align="flex-start">
          <TextInput
            label={t('setup.name')}
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            required
          />
          <NumberInput
            label={t('setup.rate')}
            value={values.perSecond}
            onChange={(value) => change({ perSecond: String(value) })}
            min={1}
            allowDecimal={false}
          />
        </Group>
        <Text size="xs" c="dimmed">
          {t('setup.rateHint')}
        </Text>
        {save.error && <ErrorState error={save.error} title={t('setup.rejected')} />}
        {save.isSuccess && !check.isPending && (
          <Notice color="green" role="status">
            {t('setup.saved')}
          </Notice>
        )}
        {check.error && <ErrorState error={check.error} title={t('setup.notChecked')} retry={() => check.mutate()} />}
        {check.data && <CheckResult response={check.data} />}
        <Group justify="flex-end">
          {request && (
            <ShowAsCode
              call={{
                path: '/admin/certificate/save',
                request: withoutSecrets(keepsSettings ? { ...request, certificate: '…' } : request),
              }}
            />
          )}
          <Button type="submit" loading={isSaving} disabled={!request}>
            {t('setup.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const startValues = (channel: VendorChannel, name: string, saved: Certificate | undefined): FormValues => ({
  app_id: saved?.app_id ?? '',
  // The keys of Web Push are sent together or not at all.
  app_key: (channel !== 'webpush' && saved?.app_key) || '',
  app_secret: '',
  certificate: '',
  packages: '',
  name: saved?.name ?? name,
  perSecond: saved?.per_second == null ? '' : String(saved.per_second),
});

/** The code is often pasted into a chat or a ticket. */
function withoutSecrets({ app_secret, certificate, ...request }: AdminCertificateSaveRequest): object {
  return { ...request, ...(app_secret && { app_secret: '…' }), ...(certificate && { certificate: '…' }) };
}

interface FieldProps {
  readonly field: FormField;
  readonly values: FormValues;
  readonly change: (part: Partial<FormValues>) => void;
  readonly paste: (event: ClipboardEvent) => void;
}

function Field({ field, values, change, paste }: FieldProps) {
  const { t } = useTranslation();
  const { name, placeholder = '' } = field;
  const value = values[name];
  const common = {
    label: field.text ? t(`setup.labels.${field.text}`) : field.label,
    value,
    placeholder,
    required: field.isRequired ?? false,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  };
  if (field.isSecret) return <PasswordInput {...common} autoComplete="new-password" />;
  if (name !== 'certificate') return <TextInput {...common} />;
  const isInvalid = field.text === 'settings' && value.trim() !== '' && !parseObject(value);
  return (
    <Textarea
      {...common}
      onPaste={paste}
      rows={field.text === 'settings' ? 3 : 6}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      error={isInvalid && t('setup.settingsInvalid', { example: placeholder })}
    />
  );
}

interface LoadSavedProps {
  readonly isLoading: boolean;
  readonly load: () => void;
  readonly call: ApiCall;
}

function LoadSaved({ isLoading, load, call }: LoadSavedProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" flex={1} miw={200}>
          {t('setup.loadHint')} {t('setup.loadAudit')}
        </Text>
        <Button variant="default" loading={isLoading} onClick={load}>
          {t('setup.load')}
        </Button>
      </Group>
      <CodeDetails call={call} />
    </Stack>
  );
}
