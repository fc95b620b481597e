import { type FormValues, parseObject, type VendorChannel } from './vendor-forms.ts';

/** At most 48 KiB, because the API accepts 64 KiB of base64. Files of vendors have less than 10 KiB. */
export const FILE_BYTES_MAX = 48 * 1024;

/** Why a file cannot be used. Each one has a text that explains what to do. */
export type FileProblem =
  | 'tooLarge'
  | 'notJson'
  | 'notApns'
  | 'noPrivateKey'
  | 'encryptedKey'
  | 'appleKey'
  | 'googleServices'
  | 'googleAccount'
  | 'huaweiAccount'
  | 'agconnect'
  | 'incomplete'
  | 'unknown';

/** `note` says which values are still missing. */
export type FileResult =
  | { readonly values: Partial<FormValues>; readonly note?: 'agconnectSecret' | 'p12Passphrase' }
  | { readonly problem: FileProblem };

/** Returns the values in a file of the vendor's console. */
export function readVendorFile(channel: VendorChannel, name: string, bytes: Uint8Array): FileResult {
  if (bytes.length > FILE_BYTES_MAX) return { problem: 'tooLarge' };
  const text = decode(bytes);
  if (channel === 'apns') return readAppleFile(name, text, bytes);
  if (text?.includes('-----BEGIN ') && !text.trimStart().startsWith('{')) return { problem: 'appleKey' };
  const content = parseObject(text ?? '');
  if (!content) return { problem: 'notJson' };
  const kind = kindOf(content);
  const certificate = text ?? '';
  if (channel === 'webpush') return readKeyPair(content);
  if (channel === 'huawei' && kind === 'agconnect') return readAgconnect(content);
  const wanted = channel === 'fcm' ? 'googleAccount' : 'huaweiAccount';
  if (kind !== wanted) return { problem: kind };
  const isComplete = requiredFields[wanted].every((field) => textOf(content[field]) !== '');
  return isComplete ? { values: { certificate } } : { problem: 'incomplete' };
}

const requiredFields = {
  googleAccount: ['project_id', 'private_key', 'client_email'],
  huaweiAccount: ['project_id', 'private_key', 'key_id', 'sub_account'],
} as const;

function kindOf(content: Readonly<Record<string, unknown>>) {
  if (content.type === 'service_account') return 'googleAccount';
  if ('project_info' in content && 'client' in content) return 'googleServices';
  if ('agcgw' in content || 'app_info' in content) return 'agconnect';
  if ('sub_account' in content || 'key_id' in content) return 'huaweiAccount';
  return 'unknown';
}

const KEY_ID_IN_NAME = /AuthKey_([A-Z0-9]{10})\.p8$/;

function readAppleFile(name: string, text: string | undefined, bytes: Uint8Array): FileResult {
  if (text === undefined) {
    // A p12 file is an ASN.1 sequence, and the only binary file that APNs uses.
    const isSequence = bytes[0] === 0x30;
    if (!isSequence || /\.(cer|crt|der)$/i.test(name)) return { problem: isSequence ? 'noPrivateKey' : 'notApns' };
    return { values: { certificate: btoa(String.fromCharCode(...bytes)), app_key: '' }, note: 'p12Passphrase' };
  }
  if (text.includes('ENCRYPTED')) return { problem: 'encryptedKey' };
  const hasKey = /-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/.test(text);
  if (!hasKey) return { problem: text.includes('-----BEGIN CERTIFICATE-----') ? 'noPrivateKey' : 'notApns' };
  if (parseObject(text)) return { problem: 'notApns' };
  const [, keyId] = KEY_ID_IN_NAME.exec(name) ?? [];
  return { values: { certificate: text, ...(keyId !== undefined && { app_key: keyId }) } };
}

/** The file contains no App secret: its `client_secret` belongs to another service. */
function readAgconnect(content: Readonly<Record<string, unknown>>): FileResult {
  const id = textOf(objectOf(content.app_info).app_id) || textOf(objectOf(content.client).app_id);
  return id === '' ? { problem: 'incomplete' } : { values: { app_id: id }, note: 'agconnectSecret' };
}

/** Reads the output of common tools that create VAPID keys. */
function readKeyPair(content: Readonly<Record<string, unknown>>): FileResult {
  const publicKey = textOf(content.publicKey);
  const privateKey = textOf(content.privateKey);
  if (publicKey === '' || privateKey === '') return { problem: 'unknown' };
  const subject = textOf(content.subject);
  return { values: { app_key: publicKey, app_secret: privateKey, ...(subject !== '' && { app_id: subject }) } };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Returns undefined for a binary file. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
