import type { Environment, VendorName } from '#src/domain/channel.ts';
import { Problem, type ProblemName, problems } from '#src/domain/problem.ts';
import { QueueFull } from '#src/foundation/semaphore.ts';
import { ThreadPool, ThreadTimeout } from '#src/foundation/threads/thread-pool.ts';
import type { CertificateInput, CheckedCertificate } from './vendor.ts';

export interface CheckRequest {
  readonly channel: VendorName;
  readonly input: CertificateInput;
  readonly environment: Environment;
  readonly now: Date;
}

export type CheckResponse =
  | { readonly checked: CheckedCertificate }
  | { readonly problem: ProblemName; readonly message: string };

/** Longer than the key derivation with the maximum number of rounds, which takes up to a second. */
const SECONDS_MAX = 5;

const pool = new ThreadPool<CheckRequest, CheckResponse>({
  program: new URL('./check-certificate-worker.ts', import.meta.url),
  threads: 1,
  queueMax: 100,
  groupQueueMax: 10,
  secondsMax: SECONDS_MAX,
  memoryMbMax: 128,
});

/**
 * Checks the credentials that an operator enters, and returns the values to store. A file can be made so that reading
 * it is slow, so this happens in another thread. Apps take turns.
 */
export async function checkCertificate(appId: string, request: CheckRequest): Promise<CheckedCertificate> {
  try {
    return toChecked(await pool.run(request, appId));
  } catch (error) {
    if (error instanceof QueueFull) throw new Problem('too-many-requests', undefined, { retryAfterSeconds: 1 });
    if (error instanceof ThreadTimeout)
      throw new Problem('bad-parameter', 'certificate takes too long to read. Export it again.');
    throw error;
  }
}

function toChecked(response: CheckResponse): CheckedCertificate {
  if ('checked' in response) return response.checked;
  throw new Problem(response.problem, response.message.slice(problems[response.problem].text.length + 1) || undefined);
}
