import { createHash } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { shardOfGuid } from '#src/domain/device.ts';
import type { LoginName } from '#src/domain/login-name.ts';
import { Problem } from '#src/domain/problem.ts';
import { hashPassword, isOutdated, verifyPassword } from '#src/foundation/password.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { Semaphore } from '#src/foundation/semaphore.ts';
import { type App, appKeyContext } from '#src/storage/accounts/apps.ts';
import { type Registration, registerDevice } from '#src/storage/devices/ownership.ts';
import { type PointLimitState, refundPoints, takePoints } from '#src/storage/users/rate-limits.ts';
import { insertUserToken } from '#src/storage/users/tokens.ts';
import { findLoginUser, type LoginUser, savePasswordHash } from '#src/storage/users/users.ts';
import type { ApiContext, ApiRequest } from '../context.ts';
import { TOKEN_BITS, USER_TOKEN_PREFIX } from '../http/authenticate.ts';
import { rejectOverLimit, setRateLimitHeaders } from '../http/limits.ts';
import { generatePushToken } from './push-token.ts';
import { logOutDevice, retireOldDevices } from './release-devices.ts';

/** The file service beside us sees a token of this age at most. */
const STORE_TOKEN_SECONDS = 60 * 60;

/** Logins may use so many of the database's connections at a time: a flood of them must leave some to everybody else. */
const loginSlots = new Semaphore({ slots: 2, queueMax: 1_000 });

type LoginRequest = Pick<ApiRequest, 'app' | 'address' | 'setHeader'>;

/** Checks a password and gives out a token, and a push token when a device is named. */
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
  // A good login costs nothing, and is told so.
  await refundPoints(
    home,
    limitStates.map(({ key }) => key),
  );
  const record = await issueToken(context, app, { ...user, passwordHash: storedHash }, login.deviceGuid);
  // In the moments that this took, the user was disabled or given another password.
  if (!record) throw new Problem('login-refused');
  setRateLimitHeaders(
    request.setHeader,
    limitStates.map((limit) => ({ ...limit, remaining: limit.remaining + 1 })),
  );
  if (isOutdated(storedHash))
    await savePasswordHash(home, app.appId, user.userId, storedHash, await hashPassword(login.password));
  return record;
}

/** A token without a password, for a user who is known in another way. */
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
 * A token for a user, with a device or without one. While `passwordHash` is theirs; null: no matter. Undefined: they may
 * not log in any more.
 */
async function issueToken(context: ApiContext, app: App, user: LoginUser, deviceGuid: string | undefined) {
  const { userId, passwordHash } = user;
  const { appId } = app;
  // The device first, the token second: a crash between the two leaves nothing that opens anything.
  const device = deviceGuid === undefined ? undefined : await registerLoginDevice(context, app, user, deviceGuid);
  const token = withChecksum(USER_TOKEN_PREFIX + randomText(TOKEN_BITS));
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
 * Counts a login before it is tried, under the person (whichever of the three ways they came, and under the name itself
 * when nobody has it) and under the address. Answers what was taken, to give it back when it was good. A failure is told
 * what is left for the address only: what is left for the person would tell which names are theirs.
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

/** People type passwords into the wrong field, so what nobody is called is not kept as it is. */
function hashLoginName(loginName: LoginName): string {
  const text = loginName.kind === 'user_id' ? loginName.userId.toString() : loginName.text;
  return createHash('sha256').update(text).digest('base64url');
}

function registerLoginDevice(
  context: ApiContext,
  app: App,
  user: LoginUser,
  deviceGuid: string,
): Promise<Registration> {
  const shard = shardOfGuid(app.appId, deviceGuid);
  return registerDevice(context.storage.shards.dbFor(shard), {
    appId: app.appId,
    shard,
    deviceGuid,
    userId: user.userId,
    newPushToken: generatePushToken(shard),
    registeredAt: user.now,
  });
}

/** For a file service beside us: a token it can verify with the app's public key, and a key that only its owner knows. */
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
