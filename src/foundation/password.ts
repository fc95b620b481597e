import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Semaphore } from './semaphore.ts';

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. About 45 ms of one core. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/**
 * Hashing needs 19 MiB and one core, so it runs in a limited number of threads with the lowest priority. A flood of
 * logins waits in the queue and does not delay other work. If the queue is full, `run` throws immediately.
 */
const THREADS_MAX = Math.max(1, Math.floor(availableParallelism() / 2));
const hashSlots = new Semaphore({ slots: THREADS_MAX, queueMax: 100 });
const idleThreads: Worker[] = [];

/** Returns the PHC string to store. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, PARAMETERS);
  const { memory, passes, parallelism } = PARAMETERS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(hash)}`;
}

/**
 * Returns whether the password matches. Without a stored hash it does the same work and returns false, so that the
 * response time does not reveal whether the user exists.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const parsed = parsePhc(stored ?? DUMMY_HASH);
  const hash = await derive(password, parsed.salt, parsed);
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

function derive(password: string, salt: Buffer, { memory, passes, parallelism }: Parameters): Promise<Buffer> {
  return hashSlots.run(async () => {
    const thread = idleThreads.pop() ?? startThread();
    thread.ref(); // keeps the process running until the result is received
    try {
      thread.postMessage({ message: password, nonce: salt, parallelism, tagLength: HASH_BYTES, memory, passes });
      const [hash] = (await once(thread, 'message')) as [Uint8Array];
      idleThreads.push(thread); // a failed thread is not used again
      return Buffer.from(hash);
    } finally {
      thread.unref();
    }
  });
}

function startThread(): Worker {
  return new Worker(new URL('./password-worker.ts', import.meta.url));
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
