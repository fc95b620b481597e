import { createAdminToken } from '#src/api/create-app.ts';
import { randomText } from '#src/foundation/random-text.ts';
import { revokeUserToken } from '#src/storage/users/revocations.ts';
import { hashToken } from '#src/storage/users/tokens.ts';
import { addDevice, addUserToken } from '../../support/add-device.ts';
import type { Carillon } from '../../support/carillon.ts';
import { ann, CHOIR, lea, type TwoApps } from './two-apps.ts';

/** Callers of our app that every operation with a token rejects, each with its error code. */
export const refusedEverywhere = {
  'no token': 10003,
  'an expired user token': 402,
  'an expired admin token': 402,
  'a revoked user token': 10008,
  'a revoked admin token': 10008,
  'a user who acts for another user': 10010,
  'a user who acts for a group': 10010,
  'an admin for a user and a group': 10002,
  'an admin for a user of the other app': 10000,
  'an admin for a group of the other app': 20001,
} as const;

export type CallerName =
  | 'a user'
  | 'a user without a device'
  | 'push'
  | 'secrets'
  | 'manage'
  | 'platform'
  | '*'
  | 'an admin for a user'
  | 'an admin for a group'
  | keyof typeof refusedEverywhere;

export interface TestCaller {
  readonly name: CallerName;
  readonly token: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export async function createCallers({ storage, appId }: Carillon, apps: TwoApps): Promise<TestCaller[]> {
  const { home } = storage;
  const { userId } = ann;
  const admin = async (...scopes: string[]) => (await createAdminToken(home, { appId, name: 'ours', scopes })).token;
  const all = await admin('*');
  const user = apps.ownApp.phone.token;
  const their = apps.namedByOtherApp();
  const expired = { user: await addUserToken(home, { appId, userId }), admin: await admin('*') };
  await home.query(`update user_tokens set expires_at = now() where token_hash = $1`, [hashToken(expired.user)]);
  await home.query(`update admin_tokens set expires_at = now() where token_hash = $1`, [hashToken(expired.admin)]);
  const revoked = { user: await addUserToken(home, { appId, userId }), admin: await admin('*') };
  await revokeUserToken(home, appId, hashToken(revoked.user));
  await home.query(`update admin_tokens set revoked_at = now() where token_hash = $1`, [hashToken(revoked.admin)]);

  const callers: Record<CallerName, [token: string | null, headers?: Readonly<Record<string, string>>]> = {
    'a user': [user],
    'a user without a device': [await addUserToken(home, { appId, userId })],
    push: [await admin('push')],
    secrets: [await admin('secrets')],
    manage: [await admin('manage')],
    platform: [await admin('platform')],
    '*': [all],
    'an admin for a user': [all, { user_id: `${userId}` }],
    'an admin for a group': [all, { group_id: `${CHOIR}` }],
    'no token': [null],
    'an expired user token': [expired.user],
    'an expired admin token': [expired.admin],
    'a revoked user token': [revoked.user],
    'a revoked admin token': [revoked.admin],
    'a user who acts for another user': [user, { user_id: `${lea.userId}` }],
    'a user who acts for a group': [user, { group_id: `${CHOIR}` }],
    'an admin for a user and a group': [all, { user_id: `${userId}`, group_id: `${CHOIR}` }],
    'an admin for a user of the other app': [all, { user_id: `${their.userId}` }],
    'an admin for a group of the other app': [all, { group_id: `${their.groupId}` }],
  };
  return Object.entries(callers).map(([name, [token, headers = {}]]) => ({ name: name as CallerName, token, headers }));
}

/** Returns the same caller with a token that the call may revoke. */
export async function withSpendableToken({ storage, appId }: Carillon, caller: TestCaller): Promise<TestCaller> {
  const { userId } = lea;
  if (caller.name === 'a user') {
    const { token } = await addDevice(storage, { appId, userId, deviceGuid: `spare-${randomText(64)}` });
    return { ...caller, token };
  }
  if (caller.name !== 'a user without a device') return caller;
  return { ...caller, token: await addUserToken(storage.home, { appId, userId }) };
}
