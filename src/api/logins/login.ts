import { createHash } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { bucketOfGuid, bucketOfUser, formatBucket } from '#src/domain/bucket.ts';
import type { LoginName } from '#src/domain/login-name.ts';
import { Problem } from '#src/domain/problem.ts';
import { hashPassword, isOutdated, verifyPassword } from '#src/foundation/password.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { Semaphore } from '#src/foundation/semaphore.ts';
import { type App, appKeyContext } from '#src/storage/accounts/apps.ts';
import { type Registration, registerDevice } from '#src/storage/devices/ownership.ts';
import { addDeviceBucket } from '#src/storage/users/device-buckets.ts';
import { type PointLimitState, refundPoints, takePoints } from '#src/storage/users/rate-limits.ts';
import { insertUserToken } from '#src/storage/users/tokens.ts';
import { findLoginUser, type LoginUser, savePasswordHash } from '#src/storage/users/users.ts';
import type { ApiContext, ApiRequest } from '../context.ts';
import { TOKEN_BITS, USER_TOKEN_PREFIX } from '../http/authenticate.ts';
import { rejectOverLimit, setRateLimitHeaders } from '../http/limits.ts';
import { generatePushToken } from './push-token.ts';
import { logOutDevice, retireOldDevices } from './release-devices.ts';

/** Lifetime of a store token, which a separate file service accepts. */
const STORE_TOKEN_SECONDS = 60 * 60;

/**
 * At most two logins use database connections at the same time, so that a flood of logins leaves connections for other
 * requests.
 */
const loginSlots = new Semaphore({ slots: 2, queueMax: 1_000 });

type LoginRequest = Pick<ApiRequest, 'app' | 'address' | 'setHeader'>;

/** Checks the password and issues an access token, and a push token if a device is given. */
export async function logIn(
  context: ApiContext,
  request: LoginRequest,
  login: { name: LoginName; password: string; deviceGuid: string | undefined },
) {
  const { home } = context.storage;
  const { app } = request;
  const { user, limitStates } = await loginSlots.run(async () => {
    const loginUser = await findLoginUser(home, app.appId, login.name);
    return { user: loginUser, limitStates: await takeLoginPoints(context, request, loginUser?.userId ?? login.name) };
  });
  const storedHash = user?.passwordHash ?? undefined;
  if (!(await verifyPassword(login.password, storedHash)) || !user || storedHash === undefined)
    throw new Problem('login-refused');
  // A successful login does not count against the limits.
  await refundPoints(
    home,
    limitStates.map(({ key }) => key),
  );
  const record = await issueToken(context, app, { ...user, passwordHash: storedHash }, login.deviceGuid);
  // The user was disabled or their password was changed during the login.
  if (!record) throw new Problem('login-refused');
  setRateLimitHeaders(
    request.setHeader,
    limitStates.map((limit) => ({ ...limit, remaining: limit.remaining + 1 })),
  );
  if (isOutdated(storedHash))
    await savePasswordHash(home, app.appId, user.userId, storedHash, await hashPassword(login.password));
  return record;
}

/** Issues an access token without a password, for a user who was authenticated in another way. */
export async function logInWithoutPassword(
  context: ApiContext,
  app: App,
  userId: bigint,
  deviceGuid: string | undefined,
) {
  const user = await findLoginUser(context.storage.home, app.appId, { kind: 'user_id', userId });
  const record = user && (await issueToken(context, app, { ...user, passwordHash: null }, deviceGuid));
  if (!record) throw new Problem('no-such-user');
  return record;
}

/**
 * Issues an access token, with or without a device. If `passwordHash` is not null, it must still be the user's current
 * hash. Returns undefined if the user can no longer log in.
 */
async function issueToken(context: ApiContext, app: App, user: LoginUser, deviceGuid: string | undefined) {
  const { userId, passwordHash } = user;
  const { appId } = app;
  // The device is registered before the token is inserted: a crash in between leaves nothing that grants access.
  const device = deviceGuid === undefined ? undefined : await registerLoginDevice(context, app, user, deviceGuid);
  if (deviceGuid !== undefined && !device) return undefined;
  const token = generateUserToken(appId, userId);
  const userToken = await insertUserToken(context.storage.home, token, {
    appId,
    userId,
    deviceId: device?.deviceId ?? null,
    generation: device?.generation ?? null,
    validDays: app.tokenDays,
    ...(passwordHash !== null && { passwordHash }),
  });
  if (!userToken) {
    if (device) await logOutDevice(context, appId, device, 'refused');
    return undefined;
  }
  if (userToken.revoked) context.announceRevocation();
  if (device) await retireOldDevices(context, appId, userId, device);
  return {
    token,
    user_id: userId,
    expire: BigInt(userToken.expiresAt.getTime()),
    encrypt_type: 0,
    public_key: app.publicKey,
    ...(device && { push_token: device.pushToken }),
    ...(await createStoreAccess(context, app, userId, userToken.now)),
  };
}

/**
 * Counts a login attempt before the password is checked, once for the user and once for the address. The three login
 * operations share the user's count. An unknown login name is counted under the name itself. Returns the points taken,
 * so that a successful login can refund them.
 *
 * The headers of a failed login show only the limit of the address. The limit of the user would reveal which login
 * names belong to the same user.
 */
async function takeLoginPoints(
  { settings, storage }: ApiContext,
  { app, address, setHeader }: LoginRequest,
  identity: bigint | LoginName,
): Promise<PointLimitState[]> {
  const seconds = settings.CARILLON_LOGIN_FAILURES_SECONDS;
  const userKey = typeof identity === 'bigint' ? `user:${identity}` : `${identity.kind}:${hashLoginName(identity)}`;
  const addressKey = `${app.appId} address:${address}`;
  const limitStates = await takePoints(storage.home, [
    { key: `${app.appId} ${userKey}`, pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_NAME, seconds },
    { key: addressKey, pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_ADDRESS, seconds },
  ]);
  const isOverLimit = limitStates.some(({ remaining }) => remaining < 0);
  setRateLimitHeaders(setHeader, isOverLimit ? limitStates : limitStates.filter(({ key }) => key === addressKey));
  rejectOverLimit(limitStates, 'too-many-logins');
  return limitStates;
}

/**
 * Hashes a login name, because users sometimes type a password into this field and unknown names must not be stored in
 * plain text.
 */
function hashLoginName(loginName: LoginName): string {
  const text = loginName.kind === 'user_id' ? loginName.userId.toString() : loginName.text;
  return createHash('sha256').update(text).digest('base64url');
}

/** Generates an access token. It contains the bucket of its user, so that one database can be asked for it. */
function generateUserToken(appId: string, userId: bigint): string {
  return withChecksum(USER_TOKEN_PREFIX + formatBucket(bucketOfUser(appId, userId)) + randomText(TOKEN_BITS));
}

/** Registers the device of a login. Returns undefined if the user no longer exists. */
async function registerLoginDevice(
  { storage }: ApiContext,
  { appId }: App,
  user: LoginUser,
  deviceGuid: string,
): Promise<Registration | undefined> {
  const bucket = bucketOfGuid(appId, deviceGuid);
  const isRecorded =
    user.deviceBuckets.includes(bucket) ||
    (await addDeviceBucket(storage.home, { appId, userId: user.userId }, bucket));
  if (!isRecorded) return undefined;
  return registerDevice(storage.shards.dbFor(bucket), {
    appId,
    bucket,
    deviceGuid,
    userId: user.userId,
    newPushToken: generatePushToken(bucket),
    registeredAt: user.now,
  });
}

/**
 * Creates the credentials for a separate file service: a token that it can verify with the app's public key, and a key
 * that only the user knows.
 */
async function createStoreAccess(context: ApiContext, app: App, userId: bigint, now: Date) {
  const secret = randomText(TOKEN_BITS);
  const privateKey = open(context.keyring, appKeyContext(app.appId), app.privateKey);
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const storeToken = await new SignJWT({ key_sha256: createHash('sha256').update(secret).digest('base64url') })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setIssuer(app.appId)
    .setSubject(userId.toString())
    .setAudience('store')
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + STORE_TOKEN_SECONDS)
    .sign(await importPKCS8(privateKey, 'EdDSA'));
  return { store_token: storeToken, access_key_secret: secret };
}
