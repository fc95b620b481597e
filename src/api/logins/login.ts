import { createHash } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { bucketOfGuid, bucketOfUser, formatBucket } from '#src/domain/bucket.ts';
import { Problem } from '#src/domain/problem.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { Semaphore } from '#src/foundation/semaphore.ts';
import { hashPassword, isOutdated, verifyPassword } from '#src/foundation/threads/password.ts';
import { type App, appKeyContext } from '#src/storage/accounts/apps.ts';
import { isDeviceOfUser, type Registration, registerDevice } from '#src/storage/devices/ownership.ts';
import { addDeviceBucket } from '#src/storage/users/device-buckets.ts';
import { refundPoints } from '#src/storage/users/rate-limits.ts';
import { revokeDeviceTokens } from '#src/storage/users/revocations.ts';
import { insertUserToken, type TokenParent } from '#src/storage/users/tokens.ts';
import { findLoginUser, type LoginUser, savePasswordHash } from '#src/storage/users/users.ts';
import type { ApiContext } from '../context.ts';
import { TOKEN_BITS, USER_TOKEN_PREFIX } from '../http/authenticate.ts';
import { setRateLimitHeaders } from '../http/limits.ts';
import { type Login, type LoginRequest, limitLogins, takeLoginPoints } from './login-limits.ts';
import { generatePushToken } from './push-token.ts';
import { logOutDevice, retireOldDevices } from './release-devices.ts';

/** Lifetime of a store token, which a separate file service accepts. */
const STORE_TOKEN_SECONDS = 60 * 60;

/**
 * At most two logins use database connections at the same time, so that a flood of logins leaves connections for other
 * requests.
 */
const loginSlots = new Semaphore({ slots: 2, queueMax: 1_000, groupQueueMax: 200 });

/** The device that an access token is issued for, and the admin token that creates it. */
interface TokenDetails {
  readonly deviceGuid: string | undefined;
  readonly parent?: TokenParent;
}

/** Checks the password and issues an access token, and a push token if a device is given. */
export async function logIn(context: ApiContext, request: LoginRequest, login: Login) {
  const { home } = context.storage;
  const { app } = request;
  const { user, limitStates } = await loginSlots.run(async () => {
    const loginUser = await findLoginUser(home, app.appId, login.name);
    return { user: loginUser, limitStates: await takeLoginPoints(context, request, login, loginUser?.userId) };
  }, app.appId);
  const storedHash = user?.passwordHash ?? undefined;
  if (!(await verifyPassword(login.password, storedHash, app.appId)) || !user || storedHash === undefined)
    return rejectLogin(context, request, user?.userId);
  // A successful login does not count as a failure.
  await refundPoints(
    home,
    limitStates.map(({ key }) => key),
  );
  await limitLogins(context, app.appId, user.userId);
  const record = await issueToken(context, app, { ...user, passwordHash: storedHash }, login);
  // The user was disabled or their password was changed during the login.
  if (!record) return rejectLogin(context, request, user.userId);
  setRateLimitHeaders(
    request.setHeader,
    limitStates.map((limit) => ({ ...limit, remaining: limit.remaining + 1 })),
  );
  if (isOutdated(storedHash))
    await savePasswordHash(home, app.appId, user.userId, storedHash, await hashPassword(login.password, app.appId));
  return record;
}

/** Logs a failed login, with the user if there is one. The entered name is not logged, because it can be a password. */
function rejectLogin({ log }: ApiContext, { app, address }: LoginRequest, userId: bigint | undefined): never {
  log.security('login-failed', { address, appId: app.appId, userId });
  throw new Problem('login-refused');
}

/** Issues an access token without a password, for a user who was authenticated in another way. */
export async function logInWithoutPassword(context: ApiContext, app: App, userId: bigint, details: TokenDetails) {
  const user = await findLoginUser(context.storage.home, app.appId, { kind: 'user_id', userId });
  const record = user && (await issueToken(context, app, { ...user, passwordHash: null }, details));
  if (!record) throw new Problem('no-such-user');
  return record;
}

/**
 * Issues an access token, with or without a device. If `passwordHash` is not null, it must still be the user's current
 * hash. Returns undefined if the user can no longer log in.
 */
async function issueToken(context: ApiContext, app: App, user: LoginUser, { deviceGuid, parent }: TokenDetails) {
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
    ...(parent && { parent }),
    ...(passwordHash !== null && { passwordHash }),
  });
  if (!userToken) {
    if (device) await logOutDevice(context, appId, device, 'refused');
    return undefined;
  }
  if (userToken.revoked) context.announceRevocation();
  if (device)
    try {
      await retireOldDevices(context, appId, userId, device);
    } catch (error) {
      // The caller gets an error, so the token must not stay valid.
      await revokeDeviceTokens(context.storage.home, [device]).catch(() => undefined);
      throw error;
    }
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

/** Generates an access token. It contains the bucket of its user, so that one database can be asked for it. */
function generateUserToken(appId: string, userId: bigint): string {
  return withChecksum(USER_TOKEN_PREFIX + formatBucket(bucketOfUser(appId, userId)) + randomText(TOKEN_BITS));
}

/**
 * Throws if the app has reached its ceiling of devices and the user has not logged in on this device before. Known
 * devices can still log in.
 */
async function requireDeviceRoom(
  { storage, ceilings }: ApiContext,
  device: Parameters<typeof isDeviceOfUser>[1],
): Promise<void> {
  if (await ceilings.hasRoom(device.appId, 'devices')) return;
  if (await isDeviceOfUser(storage.shards.dbFor(device.bucket), device)) return;
  await ceilings.requireRoom(device.appId, 'devices');
}

/** Registers the device of a login. Returns undefined if the user no longer exists. */
async function registerLoginDevice(
  context: ApiContext,
  { appId }: App,
  user: LoginUser,
  deviceGuid: string,
): Promise<Registration | undefined> {
  const { storage, ceilings } = context;
  const bucket = bucketOfGuid(appId, deviceGuid);
  await requireDeviceRoom(context, { appId, bucket, deviceGuid, userId: user.userId });
  const isRecorded =
    user.deviceBuckets.includes(bucket) ||
    (await addDeviceBucket(storage.home, { appId, userId: user.userId }, bucket));
  if (!isRecorded) return undefined;
  const registration = await registerDevice(storage.shards.dbFor(bucket), {
    appId,
    bucket,
    deviceGuid,
    userId: user.userId,
    newPushToken: generatePushToken(bucket),
    registeredAt: user.now,
  });
  if (registration.isNew) ceilings.add(appId, 'devices');
  return registration;
}

/**
 * Creates the credentials for a separate file service: a token that it can verify with the app's public key, and a key
 * that only the user knows.
 */
async function createStoreAccess(context: ApiContext, app: App, userId: bigint, now: Date) {
  const secret = randomText(TOKEN_BITS);
  const privateKey = open(context.keyrings.apps, appKeyContext(app.appId), app.privateKey);
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
