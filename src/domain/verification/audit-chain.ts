import { createHash } from 'node:crypto';

/** The content of an audit entry that its hash covers. */
export interface ChainedEntry {
  readonly auditId: bigint;
  /** Null if the entry belongs to no app. */
  readonly appId: string | null;
  readonly tokenId: bigint;
  readonly tokenName: string;
  /** Null if no operator made the call. */
  readonly operatorId: bigint | null;
  readonly operation: string;
  readonly detail: string;
  readonly address: string;
  /** The time in microseconds since 1970, because a Date has only milliseconds. */
  readonly atMicros: bigint;
  readonly resultOf: bigint | null;
}

/** The link of an entry: its hash, and the hash of the entry before it. */
export interface ChainLink {
  readonly auditId: bigint;
  readonly previous: Buffer;
  readonly hash: Buffer;
}

/** Stands for the hash before the first entry. */
export const CHAIN_START: Buffer = Buffer.alloc(32);

/**
 * Returns the hash of an entry: SHA-256 of the previous hash and the entry as a JSON array. Two entries never have the
 * same array, because JSON quotes the strings, and only the array of an entry with an operator has a tenth element. A
 * change of this format would invalidate the existing hashes.
 */
export function hashEntry(previous: Buffer, entry: ChainedEntry): Buffer {
  const { auditId, appId, tokenId, tokenName, operatorId, operation, detail, address, atMicros, resultOf } = entry;
  const numbers = [auditId, tokenId, atMicros, resultOf].map((number) => number?.toString() ?? null);
  const operator = operatorId === null ? [] : [operatorId.toString()];
  const content = JSON.stringify([...numbers, appId, tokenName, operation, detail, address, ...operator]);
  return createHash('sha256').update(previous).update(content).digest();
}

/** Returns the links of entries that follow the entry with the hash `previous`. */
export function linkEntries(previous: Buffer, entries: readonly ChainedEntry[]): ChainLink[] {
  let last = previous;
  return entries.map((entry) => {
    const link = { auditId: entry.auditId, previous: last, hash: hashEntry(last, entry) };
    last = link.hash;
    return link;
  });
}

/** Reasons why an entry does not match the chain. */
export const chainFaults = ['entry-changed', 'entry-missing', 'not-chained', 'link-broken', 'start-missing'] as const;
export type ChainFault = (typeof chainFaults)[number];

/** An entry and its link. One of them can be missing. `isOld`: the entries before it may have been deleted. */
export interface ChainRow {
  readonly auditId: bigint;
  readonly entry: ChainedEntry | null;
  readonly link: ChainLink | null;
  readonly isOld: boolean;
}

export interface CheckedChain {
  /** Number of entries that match. */
  readonly entries: number;
  /** The hash of the last entry that matches. */
  readonly hash: Buffer | null;
  readonly fault: { readonly auditId: bigint; readonly reason: ChainFault } | null;
  readonly isExpectedFound: boolean;
}

/**
 * Checks rows in the order of their IDs, up to the first fault. `previous` is the hash before the first row, or null if
 * the first row is the oldest one that exists.
 */
export function checkChain(rows: readonly ChainRow[], previous: Buffer | null, expected: Buffer | null): CheckedChain {
  let hash = previous;
  let isExpectedFound = false;
  for (const [entries, { auditId, entry, link, isOld }] of rows.entries()) {
    const reason = faultOf({ entry, link, isOld }, hash);
    if (reason !== undefined) return { entries, hash, fault: { auditId, reason }, isExpectedFound };
    hash = (link as ChainLink).hash;
    isExpectedFound ||= expected?.equals(hash) === true;
  }
  return { entries: rows.length, hash, fault: null, isExpectedFound };
}

function faultOf({ entry, link, isOld }: Omit<ChainRow, 'auditId'>, previous: Buffer | null): ChainFault | undefined {
  if (!link) return 'not-chained';
  if (!entry) return 'entry-missing';
  if (previous ? !link.previous.equals(previous) : !link.previous.equals(CHAIN_START) && !isOld)
    return previous ? 'link-broken' : 'start-missing';
  return hashEntry(link.previous, entry).equals(link.hash) ? undefined : 'entry-changed';
}
