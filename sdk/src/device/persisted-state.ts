import { SeenIds } from './seen-ids.ts';

/**
 * Storage for the state that must survive a reload: the device's guid, ids of shown notifications, badge, pending
 * receipts and clicks. It never contains a token. `localStorage` can be used directly; the methods may also return promises.
 */
export interface DeviceStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
}

/** The state as it is stored. */
interface StoredFields {
  readonly device_guid: string;
  readonly seen: readonly string[];
  readonly badge: number;
  readonly receipts: readonly string[];
  readonly clicks: readonly string[];
}

/** The state of a device that survives a reload. */
export class PersistedState {
  deviceGuid: string;
  badge: number;
  /** References of receipts that the service has not accepted yet. */
  receipts: string[];
  /** The same for clicks. */
  clicks: string[];
  readonly seen: SeenIds;
  readonly #storage: DeviceStorage | undefined;
  readonly #key: string;
  #currentWrite: Promise<void> | undefined;
  #nextWrite: Promise<void> | undefined;

  constructor(stored: Partial<StoredFields>, storage: DeviceStorage | undefined, key: string) {
    this.deviceGuid = stored.device_guid ?? randomGuid();
    this.badge = stored.badge ?? 0;
    this.receipts = [...(stored.receipts ?? [])];
    this.clicks = [...(stored.clicks ?? [])];
    this.seen = new SeenIds(stored.seen);
    this.#storage = storage;
    this.#key = key;
  }

  /** Resolves when the current state is written. Changes during a write are saved by the next write. */
  save(): Promise<void> {
    if (!this.#currentWrite) return this.#write();
    this.#nextWrite ??= this.#currentWrite.then(
      () => this.#write(),
      () => this.#write(),
    );
    return this.#nextWrite;
  }

  #write(): Promise<void> {
    const currentWrite = this.#writeToStorage().finally(() => {
      if (this.#currentWrite === currentWrite) this.#currentWrite = undefined;
    });
    this.#currentWrite = currentWrite;
    this.#nextWrite = undefined;
    return currentWrite;
  }

  async #writeToStorage(): Promise<void> {
    const stored: StoredFields = {
      device_guid: this.deviceGuid,
      seen: this.seen.list(),
      badge: this.badge,
      receipts: this.receipts,
      clicks: this.clicks,
    };
    await this.#storage?.setItem(this.#key, JSON.stringify(stored));
  }
}

/** Loads the stored state. Unreadable state is ignored, and the device starts as a new device. */
export async function loadPersistedState(storage: DeviceStorage | undefined, key: string): Promise<PersistedState> {
  const text = (await storage?.getItem(key)) ?? null;
  return new PersistedState(text === null ? {} : parseStoredFields(text), storage, key);
}

function parseStoredFields(text: string): Partial<StoredFields> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return {};
  }
  const { device_guid, seen, badge, receipts, clicks } = (parsed ?? {}) as Record<string, unknown>;
  return {
    ...(typeof device_guid === 'string' && device_guid !== '' && { device_guid }),
    ...(isStringArray(seen) && { seen }),
    ...(typeof badge === 'number' && { badge }),
    ...(isStringArray(receipts) && { receipts }),
    ...(isStringArray(clicks) && { clicks }),
  };
}

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/**
 * Does not use `crypto.randomUUID`, because it is unavailable on a page without TLS. React Native and mini programs have
 * no `crypto`. `Math.random` is sufficient there, because the value must be unique, but is not a secret.
 */
function randomGuid(): string {
  const { crypto } = globalThis as { crypto?: { getRandomValues(bytes: Uint8Array): Uint8Array } };
  const bytes = crypto
    ? crypto.getRandomValues(new Uint8Array(16))
    : Uint8Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
