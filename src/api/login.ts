import { createHash } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { pushTokenOf, shardOfGuid } from '#src/domain/device.ts';
import { Problem } from '#src/domain/problem.ts';
import { hashPassword, isOutdated, verifyPassword } from '#src/foundation/password.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { Semaphore } from '#src/foundation/semaphore.ts';
import { type App, appKeyContext } from '#src/truth/apps.ts';
import { type Registration, registerDevice } from '#src/truth/devices.ts';
import { givePointsBack, takePoints } from '#src/truth/limits.ts';
import { insertUserToken } from '#src/truth/tokens.ts';
import { findLoginUser, type LoginName, type LoginUser, savePasswordHash } from '#src/truth/users.ts';
import { USER_TOKEN_PREFIX } from './authenticate.ts';
import type { ApiContext } from './context.ts';

const TOKEN_BITS = 256;
const PUSH_TOKEN_BITS = 160;
/** The file service beside us sees a token of this age at most. */
const STORE_TOKEN_SECONDS = 60 * 60;

/** Logins may use so many of the database's connections at a time: a flood of them must leave some to everybody else. */
const doorway = new Semaphore({ slots: 2, queueMax: 1_000 });

interface Login {
  readonly app: App;
  readonly address: string;
  readonly name: LoginName;
  readonly password: string;
  readonly deviceGuid: string | undefined;
}

/** Checks a password and gives out a token, and a push token when a device is named. */
export async function logIn(context: ApiContext, { app, address, name, password, deviceGuid }: Login) {
  const { home } = context.truth;
  const { user, keys } = await doorway.run(async () => {
    const found = await findLoginUser(home, app.appId, name);
    return { user: found, keys: await takeTry(context, app, address, found?.userId ?? name) };
  });
  const stored = user?.passwordHash ?? undefined;
  if (!(await verifyPassword(password, stored)) || !user) throw new Problem('login-refused');
  await givePointsBack(home, keys);
  const { userId } = user;
  if (isOutdated(stored as string)) await savePasswordHash(home, app.appId, userId, await hashPassword(password));

  // The device first, the token second: a crash between the two leaves nothing that opens anything.
  const device = deviceGuid === undefined ? undefined : await register(context, app, user, deviceGuid);
  const token = withChecksum(USER_TOKEN_PREFIX + randomText(TOKEN_BITS));
  const { now, expiresAt } = await insertUserToken(home, token, {
    appId: app.appId,
    userId,
    deviceId: device?.deviceId ?? null,
    generation: device?.generation ?? null,
    days: app.tokenDays,
  });
  return {
    token,
    user_id: userId,
    expire: BigInt(expiresAt.getTime()),
    encrypt_type: 0,
    public_key: app.publicKey,
    ...(device && { push_token: device.pushToken }),
    ...(await storeAccess(context, app, userId, now)),
  };
}

/**
 * Counts a login before it is tried, under the person (whichever of the three ways they came, and under the name itself
 * when nobody has it) and under the address. Answers the keys, to give the points back when it was good.
 */
async function takeTry(context: ApiContext, app: App, address: string, who: bigint | LoginName): Promise<string[]> {
  const { settings } = context;
  const seconds = settings.CARILLON_LOGIN_FAILURES_SECONDS;
  const person = typeof who === 'bigint' ? `user:${who}` : `name:${'text' in who ? who.text : who.userId}`;
  const limits = [
    { key: `${app.appId} ${person}`, pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_NAME, seconds },
    { key: `${app.appId} address:${address}`, pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_ADDRESS, seconds },
  ];
  const waits = await takePoints(context.truth.home, limits);
  if (waits.length > 0) throw new Problem('too-many-logins', undefined, { retryAfterSeconds: Math.max(...waits) });
  return limits.map(({ key }) => key);
}

function register(context: ApiContext, app: App, user: LoginUser, deviceGuid: string): Promise<Registration> {
  const shard = shardOfGuid(app.appId, deviceGuid);
  const newPushToken = pushTokenOf(shard, randomText(PUSH_TOKEN_BITS));
  return registerDevice(context.truth.shards.of(shard), {
    appId: app.appId,
    shard,
    deviceGuid,
    userId: user.userId,
    newPushToken,
    registeredAt: user.now,
  });
}

/** For a file service beside us: a token it can verify with the app's public key, and a key that only its owner knows. */
async function storeAccess(context: ApiContext, app: App, userId: bigint, now: Date) {
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
