import { randomUUID } from 'node:crypto';
import { tripBreaker } from '#src/storage/accounts/breakers.ts';
import { saveLastReceipt } from '#src/storage/accounts/last-receipts.ts';
import { saveLastResponse } from '#src/storage/accounts/last-responses.ts';
import { saveQuotaUsage } from '#src/storage/accounts/quota-usage.ts';
import { markQuotaExhausted } from '#src/storage/accounts/quotas.ts';
import { takePermits } from '#src/storage/accounts/rates.ts';
import type { HomeDb } from '#src/storage/database/database.ts';

/** Adds the rows of a paused vivo account whose quota is used up, with a mark in each text. */
export async function addAccountState(home: HomeDb, appId: string, mark: string): Promise<void> {
  const account = { appId, channel: 'vivo', environment: 1 } as const;
  const resetsAt = new Date(Date.now() + 3_600_000);
  await markQuotaExhausted(home, account, mark, resetsAt);
  await saveQuotaUsage(home, [{ ...account, class: mark, resetsAt, counter: randomUUID(), accepted: 1 }]);
  await takePermits(home, account, { requested: 1, limitPerSecond: 3_000, isPrompt: true });
  await tripBreaker(home, { ...account, version: 1, cause: 'locked-out', reason: mark, suspect: false }, 3_600);
  await saveLastResponse(home, { ...account, version: 1, kind: 'locked-out', reason: mark, at: new Date() });
  await saveLastReceipt(home, { appId, channel: 'vivo', at: new Date() });
}
