import { SeenIds } from './seen-ids.ts';

/**
 * Where a device keeps what must survive a reload: its name, what was shown, its badge, receipts that are not taken yet.
 * Never a token. `localStorage` fits as it is; answers may also be promises.
 */
export interface DeviceStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
}

/** As it is written. */
interface Kept {
  readonly device_guid: string;
  readonly seen: readonly string[];
  readonly badge: number;
  readonly receipts: readonly string[];
}

/** What a device remembers. */
export class Memory {
  deviceGuid: string;
  badge: number;
  /** References that the service has not taken yet. */
  receipts: string[];
  readonly seen: SeenIds;
  readonly #storage: DeviceStorage | undefined;
  readonly #key: string;
  #writing: Promise<void> | undefined;
  #again: Promise<void> | undefined;

  constructor(kept: Partial<Kept>, storage: DeviceStorage | undefined, key: string) {
    this.deviceGuid = kept.device_guid ?? randomGuid();
    this.badge = kept.badge ?? 0;
    this.receipts = [...(kept.receipts ?? [])];
    this.seen = new SeenIds(kept.seen);
    this.#storage = storage;
    this.#key = key;
  }

  /** Resolves when everything as it is now is written. What changes during a write goes with the next one. */
  save(): Promise<void> {
    if (!this.#writing) return this.#write();
    this.#again ??= this.#writing.then(
      () => this.#write(),
      () => this.#write(),
    );
    return this.#again;
  }

  #write(): Promise<void> {
    const writing = this.#put().finally(() => {
      if (this.#writing === writing) this.#writing = undefined;
    });
    this.#writing = writing;
    this.#again = undefined;
    return writing;
  }

  async #put(): Promise<void> {
    const kept: Kept = {
      device_guid: this.deviceGuid,
      seen: this.seen.list(),
      badge: this.badge,
      receipts: this.receipts,
    };
    await this.#storage?.setItem(this.#key, JSON.stringify(kept));
  }
}

/** Reads what was kept. What cannot be read is as if it were not there: a device then begins anew. */
export async function loadMemory(storage: DeviceStorage | undefined, key: string): Promise<Memory> {
  const text = (await storage?.getItem(key)) ?? null;
  return new Memory(text === null ? {} : parseKept(text), storage, key);
}

function parseKept(text: string): Partial<Kept> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return {};
  }
  const { device_guid, seen, badge, receipts } = (read ?? {}) as Record<string, unknown>;
  return {
    ...(typeof device_guid === 'string' && device_guid !== '' && { device_guid }),
    ...(isTexts(seen) && { seen }),
    ...(typeof badge === 'number' && { badge }),
    ...(isTexts(receipts) && { receipts }),
  };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Not `crypto.randomUUID`, which a page without TLS does not have. */
function randomGuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
