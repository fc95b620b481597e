import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ThreadPool } from './thread-pool.ts';

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. About 45 ms of one core. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/**
 * Hashing needs 19 MiB and one core, so it runs in a limited number of threads with the lowest priority. A flood of
 * logins waits in the queue and does not delay other work. If the queue is full, `run` throws immediately.
 */
const pool = new ThreadPool<object, Uint8Array>({
  program: new URL('./password-worker.ts', import.meta.url),
  threads: Math.max(1, Math.floor(availableParallelism() / 2)),
  queueMax: 200,
  groupQueueMax: 50,
});

/** Returns the PHC string to store. Groups of waiting calls, such as apps, take turns. */
export async function hashPassword(password: string, group = ''): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, PARAMETERS, group);
  const { memory, passes, parallelism } = PARAMETERS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(hash)}`;
}

/**
 * Returns whether the password matches. Without a stored hash it does the same work and returns false, so that the
 * response time does not reveal whether the user exists.
 */
export async function verifyPassword(password: string, stored: string | undefined, group = ''): Promise<boolean> {
  const parsed = parsePhc(stored ?? DUMMY_HASH);
  const hash = await derive(password, parsed.salt, parsed, group);
  return hash.length === parsed.hash.length && timingSafeEqual(hash, parsed.hash) && stored !== undefined;
}

/**
 * Returns whether the parameters of a hash differ from the current parameters. An outdated hash should be replaced the
 * next time the password is available.
 */
export function isOutdated(stored: string): boolean {
  const { memory, passes, parallelism } = parsePhc(stored);
  return memory !== PARAMETERS.memory || passes !== PARAMETERS.passes || parallelism !== PARAMETERS.parallelism;
}

const DUMMY_HASH = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${toUnpaddedBase64(
  randomBytes(SALT_BYTES),
)}$${toUnpaddedBase64(randomBytes(HASH_BYTES))}`;

interface Parameters {
  memory: number;
  passes: number;
  parallelism: number;
}

async function derive(
  password: string,
  salt: Buffer,
  { memory, passes, parallelism }: Parameters,
  group: string,
): Promise<Buffer> {
  const request = { message: password, nonce: salt, parallelism, tagLength: HASH_BYTES, memory, passes };
  return Buffer.from(await pool.run(request, group));
}

function parsePhc(text: string): Parameters & { salt: Buffer; hash: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(text);
  if (!match) throw new Error('A stored password hash is not an argon2id PHC string.');
  const [, memory, passes, parallelism, salt, hash] = match as unknown as [string, ...string[]];
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt as string, 'base64'),
    hash: Buffer.from(hash as string, 'base64'),
  };
}

function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
