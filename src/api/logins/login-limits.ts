import { createHash } from 'node:crypto';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import type { LoginName } from '#src/domain/login-name.ts';
import { addressKeyOf } from '#src/foundation/address-key.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { isDeviceOfUser } from '#src/storage/devices/ownership.ts';
import { deletePoints, type PointLimitState, takeAttempt, takePoints } from '#src/storage/users/rate-limits.ts';
import type { User } from '#src/storage/users/users.ts';
import type { ApiContext, ApiRequest } from '../context.ts';
import { rejectOverLimit, setRateLimitHeaders } from '../http/limits.ts';

const HOUR_SECONDS = 60 * 60;

export type LoginRequest = Pick<ApiRequest, 'app' | 'address' | 'setHeader'>;

export interface Login {
  readonly name: LoginName;
  readonly password: string;
  readonly deviceGuid: string | undefined;
}

/**
 * Counts a login attempt before the password is checked: for the address, and for the login name. Names are counted as
 * they are entered, whether or not a user has them. Counting them per user would reveal which names exist, and which
 * belong to the same user. Returns the points taken, so that a successful login can refund them.
 *
 * The headers of a failed login show only the limit of the address.
 */
export async function takeLoginPoints(
  context: ApiContext,
  request: LoginRequest,
  login: Login,
  userId: bigint | undefined,
): Promise<PointLimitState[]> {
  const { appId } = request.app;
  const { settings, storage } = context;
  const { CARILLON_LOGIN_FAILURES_SECONDS: seconds, CARILLON_LOGIN_FAILURES_PER_NAME: pointsMax } = settings;
  const ofAddress = await takeAddressPoint(context, request);
  const key = nameLimitKey(appId, login.name);
  let ofName = await takeAttempt(storage.home, { key, pointsMax, seconds });
  // Otherwise, anyone could prevent a user from logging in by trying wrong passwords.
  if (ofName.remaining < 0 && (await isOwnDevice(context, appId, login.deviceGuid, userId))) {
    const device = createHash('sha256')
      .update(login.deviceGuid ?? '')
      .digest('base64url');
    ofName = await takeAttempt(storage.home, { key: `${key} device:${device}`, pointsMax, seconds });
  }
  if (ofName.remaining < 0) setRateLimitHeaders(request.setHeader, [ofName]);
  rejectOverLimit([ofName], 'too-many-logins');
  return [ofAddress, ofName];
}

/**
 * Counts an attempt to change the password of a user who is logged in, with the same limits as a login. It is counted
 * separately from logins, so that wrong passwords of other people do not prevent the change.
 */
export async function takePasswordPoints(
  context: ApiContext,
  request: LoginRequest,
  userId: bigint,
): Promise<PointLimitState[]> {
  const { settings, storage } = context;
  const ofAddress = await takeAddressPoint(context, request);
  const ofUser = await takeAttempt(storage.home, {
    key: passwordLimitKey(request.app.appId, userId),
    pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_NAME,
    seconds: settings.CARILLON_LOGIN_FAILURES_SECONDS,
  });
  rejectOverLimit([ofUser], 'too-many-logins');
  return [ofAddress, ofUser];
}

async function takeAddressPoint(
  { settings, storage }: ApiContext,
  { app: { appId }, address, setHeader }: LoginRequest,
): Promise<PointLimitState> {
  const limit = {
    key: `${appId} address:${addressKeyOf(address)}`,
    pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_ADDRESS,
    seconds: settings.CARILLON_LOGIN_FAILURES_SECONDS,
  };
  const [ofAddress] = (await takePoints(storage.home, [limit])) as [PointLimitState];
  setRateLimitHeaders(setHeader, [ofAddress]);
  rejectOverLimit([ofAddress], 'too-many-logins');
  return ofAddress;
}

/**
 * Returns whether the user has logged in on the device before. The database is asked even if there is no such user, so
 * that the response time does not reveal it.
 */
async function isOwnDevice(
  { storage }: ApiContext,
  appId: string,
  deviceGuid: string | undefined,
  userId: bigint | undefined,
): Promise<boolean> {
  if (deviceGuid === undefined) return false;
  const bucket = bucketOfGuid(appId, deviceGuid);
  try {
    return await isDeviceOfUser(storage.shards.dbFor(bucket), { appId, bucket, deviceGuid, userId: userId ?? null });
  } catch (error) {
    if (error instanceof Unavailable) return false;
    throw error;
  }
}

/** Limits how often a user can log in with the right password, because each login hashes it and writes several rows. */
export async function limitLogins({ settings, storage }: ApiContext, appId: string, userId: bigint): Promise<void> {
  const pointsMax = settings.CARILLON_LOGINS_PER_USER_PER_HOUR;
  const limit = { key: loginsLimitKey(appId, userId), pointsMax, seconds: HOUR_SECONDS };
  rejectOverLimit(await takePoints(storage.home, [limit]), 'too-many-logins');
}

/** Deletes the counts of a user's logins and of failed logins with the user's login names. */
export async function forgetLogins({ storage }: ApiContext, appId: string, user: User): Promise<void> {
  const names: LoginName[] = (['name', 'mobile', 'email'] as const).flatMap((kind) => {
    const text = user[kind];
    return text === null ? [] : [{ kind, text }];
  });
  const keys = [...names, { kind: 'user_id' as const, userId: user.userId }].map((name) => nameLimitKey(appId, name));
  await deletePoints(storage.home, [...keys, loginsLimitKey(appId, user.userId), passwordLimitKey(appId, user.userId)]);
}

const nameLimitKey = (appId: string, name: LoginName): string => `${appId} ${name.kind}:${hashLoginName(name)}`;
const loginsLimitKey = (appId: string, userId: bigint): string => `${appId} logins:${userId}`;
const passwordLimitKey = (appId: string, userId: bigint): string => `${appId} password:${userId}`;

/**
 * Hashes a login name, because users sometimes type a password into this field and unknown names must not be stored in
 * plain text.
 */
function hashLoginName(loginName: LoginName): string {
  const text = loginName.kind === 'user_id' ? loginName.userId.toString() : loginName.text;
  return createHash('sha256').update(text).digest('base64url');
}
