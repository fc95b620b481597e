import { hasBit } from '#src/domain/bits.ts';
import type { SliceRow } from '#src/domain/claim.ts';
import { LEASE_MARGIN_SECONDS } from '#src/domain/lease.ts';
import { isOpen, parseReference, placeStatus, type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import { changeViolations, rowViolations } from '#src/domain/verification/ledger-invariants.ts';
import type { ConnectedDevice } from '#src/gateway/sessions/session.ts';
import type { PlaceRef } from '#src/receipts/receipts.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import type { Notification } from '#src/vendors/vendor.ts';
import type { SliceChange } from '../environment/database.ts';
import type { Process } from '../environment/scheduler.ts';
import { simulatedDatabaseOf } from '../storage/database.ts';
import { homeRows, shardRows } from '../storage/rows.ts';
import type { Phone } from './phone.ts';
import { DEADLINE_MS, LEASE_MS, REVOKED_MS_MAX } from './settings.ts';
import type { SimulatedSystem } from './simulated-system.ts';

/**
 * Maximum time between reading an inbox and sending its notifications. The reader queries the content of the
 * notifications in between.
 */
const INBOX_READ_MS_MAX = 5_000;

/** The state of a slice that a worker last committed under its claim, and the time of the commit. */
interface Intent {
  readonly at: number;
  readonly row: SliceRow;
}

/** Thrown when an invariant is violated. The simulation ends and reports its seed. */
export class LawBroken extends Error {}

/**
 * Observes the whole simulation and reports anything that must never happen. `final-checks.ts` checks the final state.
 */
export class Oracle {
  /** The places (slice and index) for which each event was observed. */
  readonly acceptedPlaces = new Set<string>();
  readonly confirmedPlaces = new Map<string, Process>();
  readonly writtenPlaces = new Set<string>();
  readonly receiptsAttempted = new Set<string>();
  /** Receipts that are stored or held in memory by a gateway (`by`). Receipts that the API has confirmed are stored. */
  readonly receiptsStored = new Map<string, { readonly by?: Process; readonly at: number }>();
  /** Task ids by request, from the responses to callers. */
  readonly acceptedTasks = new Map<string, bigint>();
  readonly changedPhones = new Map<bigint, Map<number, number>>();
  readonly #system: SimulatedSystem;
  readonly #places = new Set<string>();
  readonly #intents = new Map<string, Intent>();
  readonly #finished = new Set<bigint>();
  /** Databases and tasks for which a cancellation is complete. */
  readonly #cancelledTasks = new Set<string>();
  readonly #heldSince = new Map<string, number>();
  readonly #acknowledgedWrites = new Set<string>();
  readonly #sawCancel = new Set<string>();
  /** The tasks that have a place for each login of a device. */
  readonly #tasksOfLogins = new Map<string, Set<bigint>>();

  constructor(system: SimulatedSystem) {
    this.#system = system;
  }

  /** Checks, after every commit, the invariants that a single row or a single change can violate. */
  committed(changes: readonly SliceChange[], by: Process): void {
    const cancelled = changes.some(({ after, epoch }) => after.cancelled && epoch !== undefined);
    for (const { before, after, epoch } of changes) {
      this.#reportBroken(rowViolations(after));
      if (before) this.#reportBroken(changeViolations(before, after, epoch));
      else {
        this.#addPlaces(after);
        if (cancelled || (after.state !== 'closed' && this.#isExpansionCancelled(after)))
          this.#reportBroken([`no work starts for a cancelled task: ${sliceKeyText(after)}`]);
      }
      if (after.state !== 'closed' && this.#finished.has(after.taskId))
        this.#reportBroken([`L7 a finished task has no open slice: ${sliceKeyText(after)}`]);
      const workerSlice = `${by.name} ${sliceKeyText(after)}`;
      if (epoch !== undefined) this.#intents.set(workerSlice, { at: this.#system.scheduler.now, row: after });
      const claimed = after.state === 'leased' && after.epoch > (before?.epoch ?? 0);
      if (claimed || epoch !== undefined) this.#heldSince.set(workerSlice, this.#system.scheduler.now);
      // A worker that inserts slices and then marks them as cancelled has read the cancellation. Its other slots may
      // not have read it yet.
      const spreads =
        !before?.cancelled &&
        after.epoch === 1 &&
        this.#acknowledgedWrites.has(workerSlice) &&
        !this.#intents.has(workerSlice);
      if (after.cancelled && (epoch !== undefined || claimed || spreads)) this.#sawCancel.add(workerSlice);
    }
  }

  /** Records that a worker has received the result of its write. */
  acknowledged(changes: readonly SliceChange[], by: Process): void {
    for (const { after } of changes) this.#acknowledgedWrites.add(`${by.name} ${sliceKeyText(after)}`);
  }

  /** Checks L7 when a task is finished. */
  finished(taskIds: readonly bigint[]): void {
    for (const taskId of taskIds) {
      this.#finished.add(taskId);
      const open = this.#system.shardDatabases.some((s) =>
        s.taskSlices(taskId).some(({ state }) => state !== 'closed'),
      );
      if (open) this.#reportBroken([`L7 a finished task has no open slice: ${taskId}`]);
      const undone = this.#system.storage.shards.all.some((db) =>
        [...shardRows(db).expansions.values()].some((row) => row.taskId === taskId && row.state !== 'done'),
      );
      if (undone) this.#reportBroken([`L7 a finished task has no unfinished expansion: ${taskId}`]);
    }
  }

  /**
   * Checks that a cancellation has marked every open row of a task in a database. If the task is planned there, no
   * expansion of this database may insert slices afterwards.
   */
  cancelled(db: ShardDb, taskId: bigint): void {
    const database = simulatedDatabaseOf(db);
    const expansions = [...shardRows(db).expansions.values()].filter((row) => row.taskId === taskId);
    const isMissed =
      expansions.some((row) => row.state !== 'done' && !row.cancelled) ||
      database.taskSlices(taskId).some((row) => row.state !== 'closed' && !row.cancelled);
    if (isMissed) this.#reportBroken([`a cancellation marks every open row: ${taskId}`]);
    if (expansions.length > 0) this.#cancelledTasks.add(`${database.name} ${taskId}`);
  }

  /**
   * Returns whether the expansion of a new slice is cancelled. Slices of a hand-over are excluded, because they have
   * their own cancelled flag. Expansions with the same bucket are parts of one range, which is cancelled as a whole.
   */
  #isExpansionCancelled({ taskId, bucket, tried }: SliceRow): boolean {
    if (tried.length > 0) return false;
    const db = this.#system.storage.shards.dbFor(bucket);
    if (this.#cancelledTasks.has(`${simulatedDatabaseOf(db).name} ${taskId}`)) return true;
    const rows = [...shardRows(db).expansions.values()];
    return rows.some((row) => row.taskId === taskId && row.bucket === bucket && row.cancelled);
  }

  /** Checks L2 when places are inserted. */
  #addPlaces(row: SliceRow): void {
    for (const [i, deviceId] of row.deviceIds.entries()) {
      const login = `${deviceId} ${row.generations[i]}`;
      const tasks = this.#tasksOfLogins.get(login) ?? new Set();
      this.#tasksOfLogins.set(login, tasks.add(row.taskId));
      const place = `${row.taskId} ${row.channel} ${deviceId}`;
      if (this.#places.has(place))
        this.#reportBroken([`L2 within a task and channel a device has one place: ${place}`]);
      this.#places.add(place);
    }
  }

  /** Checks a worker's call to a vendor for one device, at the time of the call. */
  calling(by: Process, { reference, deviceId, taskId, badge, notAfter }: Notification): void {
    const { now } = this.#system.scheduler;
    const key = parseReference(reference) as SliceKey;
    const intent = this.#intents.get(`${by.name} ${reference}`);
    const place = intent?.row.deviceIds.indexOf(deviceId) ?? -1;
    const about = `${reference} to ${deviceId}`;
    if (!intent || intent.row.status[place] !== placeStatus.attempting)
      this.#reportBroken([`a vendor is called only after the intent is committed: ${about}`]);
    if (intent && now + DEADLINE_MS + LEASE_MARGIN_SECONDS * 1_000 > intent.at + LEASE_MS)
      this.#reportBroken([`a vendor is called only under a lease: ${about}`]);
    if (now >= notAfter.getTime()) this.#reportBroken([`nothing is sent after not_after: ${about}`]);
    if (this.#sawCancel.has(`${by.name} ${reference}`))
      this.#reportBroken([`nothing new is sent after a cancel: ${about}`]);
    if (key.taskId !== taskId) this.#reportBroken([`a repeat has the same collapse id: ${about}`]);
    const generation = intent?.row.generations[place] ?? 0;
    const changedAt = this.changedPhones.get(deviceId)?.get(generation) ?? Number.POSITIVE_INFINITY;
    if (now > changedAt + LEASE_MS) this.#reportBroken([`nothing is sent after a logout: ${about}`]);
    const taskCount = this.#tasksOfLogins.get(`${deviceId} ${generation}`)?.size ?? 0;
    if (badge !== undefined && (badge < 1 || badge > taskCount))
      this.#reportBroken([`a task adds 1 to the badge, and only once: ${badge} after ${taskCount} tasks, ${about}`]);
    if (intent && this.acceptedPlaces.has(`${reference}.${place}`)) this.#system.faults.count('(sent again in doubt)');
  }

  /** Records that the vendor accepted a notification, even if no worker gets the response. */
  accepted({ reference, deviceId }: Notification): void {
    const place = this.#placeOf(parseReference(reference) as SliceKey, deviceId);
    if (place) this.acceptedPlaces.add(place);
  }

  /** Records that a worker got the vendor's acceptance. */
  confirmed(by: Process, { reference, deviceId }: Notification): void {
    const place = this.#placeOf(parseReference(reference) as SliceKey, deviceId);
    if (place) this.confirmedPlaces.set(place, by);
  }

  /** Records that a statement of this process failed: its pending writes are lost, as in a crash. */
  lostWrite(by: Process): void {
    for (const [place, process] of this.confirmedPlaces) if (process === by) this.confirmedPlaces.delete(place);
  }

  /** Checks a worker's request to a gateway. The text is the message that `src/signals` sends. */
  delivering(by: Process, text: string): void {
    for (const [taskId, bucket, sliceNumber] of JSON.parse(text) as [string, number, number][]) {
      const workerSlice = `${by.name} ${taskId}.${bucket}.${sliceNumber}`;
      if (this.#sawCancel.has(workerSlice)) this.#reportBroken([`nothing new is sent after a cancel: ${workerSlice}`]);
      if (this.#system.scheduler.now > (this.#heldSince.get(workerSlice) ?? 0) + LEASE_MS)
        this.#reportBroken([`a gateway is asked only under a lease: ${workerSlice}`]);
    }
  }

  /** Checks a frame that a phone displays. */
  shown(phone: Phone, device: ConnectedDevice, payload: string, gateway: Process): void {
    const { now } = this.#system.scheduler;
    const taskId = BigInt((JSON.parse(payload) as { task_id: string }).task_id);
    const task = homeRows(this.#system.storage.home).tasks.get(taskId)?.task as Task;
    const row = this.#nativeRow(taskId, device.deviceId);
    const place = row?.deviceIds.indexOf(device.deviceId) ?? -1;
    const about = `${taskId} to ${phone.name}`;
    if (!row) this.#reportBroken([`a frame has a place: ${about}`]);
    if (row?.generations[place] !== device.generation)
      this.#reportBroken([`nothing is shown after a logout: ${about}`]);
    const changedAt = this.changedPhones.get(device.deviceId)?.get(device.generation) ?? Number.POSITIVE_INFINITY;
    const wasPaused = gateway.pausedUntil > changedAt || gateway.pausedUntil > now - INBOX_READ_MS_MAX;
    if (now > changedAt + REVOKED_MS_MAX && !wasPaused) this.#reportBroken([`a session ends after a logout: ${about}`]);
    if (now > task.notAfter.getTime() + INBOX_READ_MS_MAX && !wasPaused)
      this.#reportBroken([`nothing is shown after not_after: ${about}`]);
  }

  written(ref: PlaceRef | (SliceKey & { index: number })): void {
    this.writtenPlaces.add(`${sliceKeyText(ref)}.${ref.index}`);
  }

  /** Records that a device has acknowledged a notification, and that a gateway holds the acknowledgement in memory. */
  deviceAcknowledged(ref: PlaceRef, gateway: Process): void {
    const place = `${sliceKeyText(ref)}.${ref.index}`;
    this.receiptsAttempted.add(place);
    const { now } = this.#system.scheduler;
    if (!this.receiptsStored.has(place)) this.receiptsStored.set(place, { by: gateway, at: now });
  }

  reporting(key: SliceKey, deviceId: bigint): void {
    const row = this.#rowOf(key);
    const place = this.#placeOf(key, deviceId);
    if (!row || !place) return;
    this.receiptsAttempted.add(place);
    if (isOpen(row.status[row.deviceIds.indexOf(deviceId)] as number)) this.#system.faults.count('receipt early');
    if (hasBit(row.received, row.deviceIds.indexOf(deviceId))) this.#system.faults.count('(receipt again)');
  }

  /** Records that a device got the confirmation that its receipt is stored. */
  reported(key: SliceKey, deviceId: bigint): void {
    const place = this.#placeOf(key, deviceId);
    if (place) this.receiptsStored.set(place, { at: this.#system.scheduler.now });
  }

  loginEnded({ deviceId }: Phone, generation: number): void {
    const changes = this.changedPhones.get(deviceId) ?? new Map<number, number>();
    changes.set(generation, this.#system.scheduler.now);
    this.changedPhones.set(deviceId, changes);
  }

  /** Records the response to a caller. The same request must always return the same task. */
  recordResponse(request: string, taskId: bigint): void {
    const first = this.acceptedTasks.get(request) ?? taskId;
    if (first !== taskId) this.#reportBroken([`L1 a request key maps to one task: ${request}`]);
    this.acceptedTasks.set(request, taskId);
  }

  #nativeRow(taskId: bigint, deviceId: bigint): SliceRow | undefined {
    const rows = this.#system.shardDatabases.flatMap((database) => database.taskSlices(taskId));
    return rows.find((row) => row.channel === 'nativepush' && row.deviceIds.includes(deviceId));
  }

  #rowOf(key: SliceKey): SliceRow | undefined {
    return this.#system.databaseOf(key.bucket).slices.get(sliceKeyText(key));
  }

  #placeOf(key: SliceKey, deviceId: bigint): string | undefined {
    const place = this.#rowOf(key)?.deviceIds.indexOf(deviceId) ?? -1;
    return place < 0 ? undefined : `${sliceKeyText(key)}.${place}`;
  }

  /** Reports violations to the scheduler instead of throwing, because the product might catch the error. */
  #reportBroken(broken: readonly string[]): void {
    if (broken.length > 0) this.#system.scheduler.fail(new LawBroken(broken.join('; ')));
  }
}
