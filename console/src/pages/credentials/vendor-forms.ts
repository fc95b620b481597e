import type { AdminCertificateSaveRequest } from '../../../../sdk/src/index.ts';
import { vendors } from '../../../../sdk/src/index.ts';
import type { ChannelName } from '../../shared/channels.ts';
import type { SetupTexts } from '../../shared/i18n/setup-en.ts';

export type VendorChannel = Exclude<ChannelName, 'nativepush'>;

/** The values that the operator enters. The packages of Xiaomi become a part of `certificate`. */
export interface FormValues {
  readonly app_id: string;
  readonly app_key: string;
  readonly app_secret: string;
  readonly certificate: string;
  readonly packages: string;
  readonly name: string;
  readonly perSecond: string;
}

export interface FormField {
  readonly name: 'app_id' | 'app_key' | 'app_secret' | 'certificate' | 'packages';
  /** The name in the console of the vendor, which is the same in all languages. */
  readonly label?: string;
  /** The key of a label that is translated. */
  readonly text?: keyof SetupTexts['setup']['labels'];
  readonly isRequired?: boolean;
  readonly isSecret?: boolean;
  readonly placeholder?: string;
}

interface VendorForm {
  readonly fields: readonly FormField[];
  /** Extensions of the files that the console can read. */
  readonly files?: string;
}

const appId = (label: string, isRequired = true): FormField => ({ name: 'app_id', label, isRequired });
const appKey = (label: string, isRequired = true): FormField => ({ name: 'app_key', label, isRequired });
const appSecret = (label: string): FormField => ({ name: 'app_secret', label, isRequired: true, isSecret: true });
const settings = (placeholder: string): FormField => ({ name: 'certificate', text: 'settings', placeholder });
const serviceAccount: FormField = { name: 'certificate', text: 'serviceAccount', isRequired: true };

/** The fields of each vendor, in the order in which its console shows them. */
export const vendorForms: Readonly<Record<VendorChannel, VendorForm>> = {
  apns: {
    files: '.p8,.p12,.pem',
    fields: [
      { name: 'certificate', text: 'apnsKey', isRequired: true },
      { ...appId('Bundle ID'), placeholder: 'com.example.app' },
      { ...appKey('Key ID', false), placeholder: 'ABC123DEFG' },
      { name: 'app_secret', text: 'teamOrPassphrase', placeholder: 'DEF123GHIJ' },
    ],
  },
  fcm: { files: '.json', fields: [serviceAccount] },
  harmony: { files: '.json', fields: [serviceAccount, appKey('Client ID', false)] },
  honor: {
    fields: [appId('App ID'), appKey('Client ID'), appSecret('Client Secret'), settings('{"importance": "NORMAL"}')],
  },
  huawei: {
    files: '.json',
    fields: [
      appId('App ID'),
      appSecret('App secret'),
      appKey('Project ID', false),
      settings('{"category": "IM", "importance": "NORMAL"}'),
    ],
  },
  flyme: {
    fields: [appId('AppId'), appKey('AppKey'), appSecret('AppSecret'), settings('{"notice_msg_type": 1}')],
  },
  oppo: {
    fields: [appId('AppID'), appKey('AppKey'), appSecret('MasterSecret'), settings('{"app_secret": "…"}')],
  },
  vivo: {
    fields: [appId('AppID'), appKey('AppKey'), appSecret('AppSecret'), settings('{"callback_id": "…"}')],
  },
  webpush: {
    files: '.json',
    fields: [
      { name: 'app_id', text: 'contact', isRequired: true, placeholder: 'mailto:push@example.com' },
      { name: 'app_key', text: 'publicKey' },
      { name: 'app_secret', text: 'privateKey', isSecret: true },
      settings('{"navigate": "https://shop.example.com/"}'),
    ],
  },
  xiaomi: {
    fields: [
      appId('AppID'),
      appKey('AppKey'),
      appSecret('AppSecret'),
      { name: 'packages', text: 'packages', isRequired: true, placeholder: 'com.example.app' },
      settings('{"channel_id": "100123"}'),
    ],
  },
};

export const vendorChannels = Object.keys(vendorForms) as readonly VendorChannel[];

export const isVendorChannel = (name: string): name is VendorChannel => Object.hasOwn(vendorForms, name);

export const providerOf = (channel: VendorChannel): number =>
  Number(Object.keys(vendors).find((provider) => vendors[Number(provider)]?.name === channel));

/** Returns the request, or undefined if the settings are not a JSON object. */
export function toSaveRequest(
  channel: VendorChannel,
  environment: number,
  values: FormValues,
): AdminCertificateSaveRequest | undefined {
  const certificate = certificateOf(channel, values);
  if (certificate === undefined) return undefined;
  const fields = {
    app_id: values.app_id.trim(),
    app_key: values.app_key.trim(),
    app_secret: values.app_secret.trim(),
    certificate,
  };
  return {
    provider: providerOf(channel),
    environment,
    name: values.name.trim(),
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
    ...(values.perSecond !== '' && { per_second: Number(values.perSecond) }),
  };
}

function certificateOf(channel: VendorChannel, { certificate, packages }: FormValues): string | undefined {
  const text = certificate.trim();
  if (channel === 'apns') return text;
  if (text !== '' && parseObject(text) === undefined) return undefined;
  if (channel !== 'xiaomi') return text;
  const names = packages.split(/[\s,，]+/).filter((name) => name !== '');
  return JSON.stringify({ ...parseObject(text), package_names: names });
}

/** Returns the values of saved credentials. The settings of Xiaomi are shown without the packages. */
export function toFormValues(
  channel: VendorChannel,
  saved: Pick<FormValues, 'app_id' | 'app_key' | 'app_secret' | 'certificate'>,
): Partial<FormValues> {
  const { app_id, app_key, app_secret, certificate } = saved;
  const values = { app_id, app_key, app_secret, certificate };
  if (channel !== 'xiaomi') return values;
  const { package_names, ...others } = parseObject(certificate) ?? {};
  return {
    ...values,
    packages: Array.isArray(package_names) ? package_names.join(', ') : '',
    certificate: Object.keys(others).length > 0 ? JSON.stringify(others) : '',
  };
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
