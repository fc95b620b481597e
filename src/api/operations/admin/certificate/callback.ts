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
  handle: async ({ storage, keyring }, { app, body, setHeader }) => {
    const channel = vendorByProvider[body.provider] as VendorName;
    const reader = vendorRegistry[channel].receipts;
    if (!reader)
      throw new Problem(
        'bad-parameter',
        'This provider has no callbacks: its apps tell by /device/receipt what arrived.',
      );
    const signature = readSignature(body, reader.isSigned !== undefined);
    setHeader('cache-control', 'no-store');
    const row = { appId: app.appId, channel };
    // An address that is told must be the one that is kept: whoever was overtaken looks again.
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const callback = (await findCallbacks(storage.home, app.appId)).find(
        (candidate) => candidate.channel === channel,
      );
      const previous = callback && tryOpen(keyring, callback);
      const secrets: CallbackSecrets = {
        path: !previous || body.renew ? newSecret() : previous.path,
        referenceKey: previous?.referenceKey ?? newSecret(),
        userName: (signature ?? previous)?.userName ?? '',
        key: (signature ?? previous)?.key ?? '',
      };
      const next = { ...row, secrets: sealCallback(keyring, row, secrets) };
      const isSaved =
        (previous && !body.renew && !signature) ||
        (await saveCallback(storage.home, next, secrets.path, callback?.secrets));
      if (isSaved) return { path: callbackPath(channel, secrets), signed: secrets.key !== '' };
    }
    throw new Unavailable('The callback is being changed by others.');
  },
};

/** Nothing when its master key is gone: then all of it is made anew, since nobody can read it any more. */
function tryOpen(keyring: Keyring, callback: Callback): CallbackSecrets | undefined {
  try {
    return openCallback(keyring, callback);
  } catch {
    return undefined;
  }
}

/** Of those who save at the same time one succeeds each time, and so many do not. */
const TRIES_MAX = 20;

const newSecret = (): string => randomBytes(32).toString('base64url');

/** Undefined: it stays as it is. */
function readSignature(
  { user_name: userName = '', key = '', signed }: { user_name?: string; key?: string; signed?: boolean },
  canSign: boolean,
): Pick<CallbackSecrets, 'userName' | 'key'> | undefined {
  const isGiven = userName !== '' || key !== '';
  if (signed === false && isGiven)
    throw new Problem('bad-parameter', 'With signed set to false there is neither user_name nor key.');
  if (signed === false) return { userName: '', key: '' };
  if (!isGiven) return undefined;
  if (!canSign) throw new Problem('bad-parameter', 'This provider does not sign its callbacks.');
  if (userName === '' || key === '')
    throw new Problem('bad-parameter', 'user_name and key belong together, as they are entered at the provider.');
  return { userName, key };
}
