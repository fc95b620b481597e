import { randomBytes } from 'node:crypto';
import { adminCertificateCallback } from '#src/contract/admin/certificate/callback.ts';
import { type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Keyring } from '#src/foundation/sealed-box.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import {
  type Callback,
  type CallbackSecrets,
  callbackPath,
  findCallbacks,
  openCallback,
  saveCallback,
  sealCallback,
} from '#src/storage/accounts/callbacks.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { Route } from '../../../context.ts';
import { limitSecretReads } from '../../../http/limit-secret-reads.ts';

export const adminCertificateCallbackRoute: Route<typeof adminCertificateCallback> = {
  operation: adminCertificateCallback,
  precheck: limitSecretReads,
  handle: async ({ storage, keyrings }, { app, body, setHeader }) => {
    const channel = vendorByProvider[body.provider] as VendorName;
    const reader = vendorRegistry[channel].receipts;
    if (!reader)
      throw new Problem(
        'bad-parameter',
        'This vendor does not send callbacks. Report receipts from the app with /device/receipt.',
      );
    const signature = readSignature(body, reader.isSigned !== undefined);
    setHeader('cache-control', 'no-store');
    const row = { appId: app.appId, channel };
    // The returned path must be the stored one. If another request has changed the row, it is read again.
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const callback = (await findCallbacks(storage.home, app.appId)).find(
        (candidate) => candidate.channel === channel,
      );
      const previous = callback && tryOpen(keyrings.callbacks, callback);
      const secrets: CallbackSecrets = {
        path: !previous || body.renew ? newSecret() : previous.path,
        referenceKey: previous?.referenceKey ?? newSecret(),
        userName: (signature ?? previous)?.userName ?? '',
        key: (signature ?? previous)?.key ?? '',
      };
      const next = { ...row, secrets: sealCallback(keyrings.callbacks, row, secrets) };
      const isSaved =
        (previous && !body.renew && !signature) ||
        (await saveCallback(storage.home, next, secrets.path, callback?.secrets));
      if (isSaved) return { path: callbackPath(channel, secrets), signed: secrets.key !== '' };
    }
    throw new Unavailable('The callback is being changed by other requests.');
  },
};

/**
 * Returns undefined if the secrets cannot be decrypted, for example because the master key is lost. All secrets are
 * then generated again.
 */
function tryOpen(keyring: Keyring, callback: Callback): CallbackSecrets | undefined {
  try {
    return openCallback(keyring, callback);
  } catch {
    return undefined;
  }
}

/** Maximum number of attempts. Of several simultaneous requests, one succeeds in each round. */
const TRIES_MAX = 20;

const newSecret = (): string => randomBytes(32).toString('base64url');

/** Returns undefined if the signature settings stay unchanged. */
function readSignature(
  { user_name: userName = '', key = '', signed }: { user_name?: string; key?: string; signed?: boolean },
  canSign: boolean,
): Pick<CallbackSecrets, 'userName' | 'key'> | undefined {
  const isGiven = userName !== '' || key !== '';
  if (signed === false && isGiven)
    throw new Problem('bad-parameter', 'user_name and key must not be sent if signed is false.');
  if (signed === false) return { userName: '', key: '' };
  if (!isGiven) return undefined;
  if (!canSign) throw new Problem('bad-parameter', 'This vendor does not sign its callbacks.');
  if (userName === '' || key === '')
    throw new Problem(
      'bad-parameter',
      'user_name and key must be sent together, as they are configured at the vendor.',
    );
  return { userName, key };
}
