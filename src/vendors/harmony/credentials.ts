import { Problem } from '#src/domain/problem.ts';
import {
  checkOptions,
  optionalWord,
  readOptions,
  requireWord,
  stringOption,
  stringOrEmpty,
} from '../tokens/credential-checks.ts';
import {
  requireServiceAccount,
  serviceAccountOf,
  serviceAccountTokenSource,
} from '../tokens/huawei-service-account.ts';
import type { CertificateInput, CheckedCertificate, TokenSource, VendorAccount } from '../vendor.ts';

export interface HarmonyCredentials {
  readonly path: string;
  /** Undefined if the credentials do not contain the Client ID. */
  readonly recallPath: string | undefined;
  readonly accessToken: string;
  /** Test messages are exempt from the daily limits. A project can send 1,000 test messages per day. */
  readonly isTest: boolean;
  /** The class of messages that do not set one. */
  readonly category: string | undefined;
  /** Selects one of several receipt configurations of the project. */
  readonly receiptId: string | undefined;
}

/** Signs tokens with the service account. Push Kit for HarmonyOS does not accept OAuth tokens. */
export function harmonyTokenSource({ certificate }: VendorAccount): TokenSource {
  const account = serviceAccountOf(certificate);
  if (!account) throw new Error('The credentials contain no service account.');
  return serviceAccountTokenSource(account);
}

/** Returns the credentials for requests. `app_id` is the project ID. */
export function harmonyCredentials(account: VendorAccount, providerToken: string | undefined): HarmonyCredentials {
  const { category, receipt_id } = readOptions(account.certificate);
  return {
    path: `/v3/${encodeURIComponent(account.vendorAppId)}/messages:send`,
    recallPath: account.appKey === '' ? undefined : `/v1/${encodeURIComponent(account.appKey)}/messages:revoke`,
    accessToken: providerToken ?? '',
    isTest: account.environment === 0,
    category: stringOrEmpty(category) || undefined,
    receiptId: stringOrEmpty(receipt_id) || undefined,
  };
}

const OPTIONS = {
  key_id: stringOption,
  sub_account: stringOption,
  project_id: stringOption,
  category: stringOption,
  receipt_id: stringOption,
};

const HINT =
  "certificate must be the complete JSON of Huawei's service-account file. Its private_key is missing or cannot be used.";

/**
 * Checks the credentials for HarmonyOS. The service-account file contains everything that is needed to send. The Client
 * ID of the app is needed only to recall notifications.
 */
export function checkHarmonyCertificate(input: CertificateInput): CheckedCertificate {
  const certificate = checkOptions(input.certificate, OPTIONS);
  requireServiceAccount(certificate, HINT);
  const projectId = requireWord(
    stringOrEmpty(readOptions(certificate).project_id),
    'project_id in certificate',
    "copy it from Huawei's service-account file",
  );
  if (input.vendorAppId.trim() !== '' && input.vendorAppId.trim() !== projectId)
    throw new Problem(
      'bad-parameter',
      `app_id must be empty or match project_id in the service-account file (${projectId}).`,
    );
  return {
    vendorAppId: projectId,
    appKey: optionalWord(input.appKey, 'app_key', 'the Client ID of the app (optional)'),
    appSecret: '',
    certificate,
    expiresAt: null,
  };
}
