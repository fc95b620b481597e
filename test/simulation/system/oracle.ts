import { hasBit } from '#src/domain/bits.ts';
import type { SliceRow } from '#src/domain/claim.ts';
import { LEASE_MARGIN_SECONDS } from '#src/domain/lease.ts';
import { brokenByChange, brokenByRow } from '#src/domain/ledger-invariants.ts';
import { isOpen, parseReference, placeStatus, type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { ConnectedDevice } from '#src/gateway/sessions/session.ts';
import type { PlaceRef } from '#src/receipts/receipts.ts';
import type { Notification } from '#src/vendors/vendor.ts';
import type { Change } from '../environment/database.ts';
import type { Process } from '../environment/scheduler.ts';
import { expansionKey } from '../storage/expansions.ts';
import { homeRows, shardRows } from '../storage/rows.ts';
import type { Phone } from './phone.ts';
import { DEADLINE_MS, LEASE_MS, REVOKED_MS_MAX } from './settings.ts';
import type { World } from './simulated-system.ts';

/** What an inbox reader has read may be written so much later, after it has asked for the text. */
const INBOX_READ_MS_MAX = 5_000;

/** What a worker has said it is about to do. */
interface Intent {
  readonly at: number;
  readonly row: SliceRow;
}

/** The law was broken: the simulation ends and its seed is kept. */
export class LawBroken extends Error {}

/** Watches everything from outside and knows what must never happen. `verdict.ts` has what must hold at the end. */
export class Oracle {
  /** Places (slice and place) by what is known of them. */
  readonly acceptedPlaces = new Set<string>();
  readonly learnedPlaces = new Map<string, Process>();
  readonly writtenPlaces = new Set<string>();
  readonly receiptsTried = new Set<string>();
  /** A gateway keeps what devices acknowledged in its memory for a moment; what the api answered is safe. */
  readonly receiptsKept = new Map<string, { readonly by?: Process; readonly at: number }>();
  /** Tasks by the answers that callers got. */
  readonly promised = new Map<string, bigint>();
  readonly changedPhones = new Map<bigint, Map<number, number>>();
  readonly #world: World;
  readonly #places = new Set<string>();
  readonly #intents = new Map<string, Intent>();
  readonly #finished = new Set<bigint>();
  readonly #heldSince = new Map<string, number>();
  readonly #heard = new Set<string>();
  readonly #sawCancel = new Set<string>();
  readonly #badges = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** After every commit: the laws that one row or one change can break. */
  committed(changes: readonly Change[], by: Process): void {
    const cancelled = changes.some(({ after, epoch }) => after.cancelled && epoch !== undefined);
    for (const { before, after, epoch } of changes) {
      this.#hold(brokenByRow(after));
      if (before) this.#hold(brokenByChange(before, after, epoch));
      else {
        this.#addPlaces(after);
        if (cancelled || (after.state !== 'closed' && this.#isExpansionCancelled(after)))
          this.#hold([`nothing is begun for a cancelled task: ${sliceKeyText(after)}`]);
      }
      if (after.state !== 'closed' && this.#finished.has(after.taskId))
        this.#hold([`L7 a finished task has no open slice: ${sliceKeyText(after)}`]);
      const mine = `${by.name} ${sliceKeyText(after)}`;
      if (epoch !== undefined) this.#intents.set(mine, { at: this.#world.scheduler.now, row: after });
      const claimed = after.state === 'leased' && after.epoch > (before?.epoch ?? 0);
      if (claimed || epoch !== undefined) this.#heldSince.set(mine, this.#world.scheduler.now);
      // Whoever spreads the word over slices it knows to have just made has heard it; another of its slots may not have.
      const spreads = !before?.cancelled && after.epoch === 1 && this.#heard.has(mine) && !this.#intents.has(mine);
      if (after.cancelled && (epoch !== undefined || claimed || spreads)) this.#sawCancel.add(mine);
    }
  }

  /** A worker knows what it has written. */
  heard(changes: readonly Change[], by: Process): void {
    for (const { after } of changes) this.#heard.add(`${by.name} ${sliceKeyText(after)}`);
  }

  /** L7 at the moment a task is finished. */
  finished(taskIds: readonly bigint[]): void {
    for (const taskId of taskIds) {
      this.#finished.add(taskId);
      const open = this.#world.storages.some((s) => s.taskSlices(taskId).some(({ state }) => state !== 'closed'));
      if (open) this.#hold([`L7 a finished task has no open slice: ${taskId}`]);
      const undone = this.#world.truth.shards.all.some((db) =>
        [...shardRows(db).expansions.values()].some((row) => row.taskId === taskId && row.state !== 'done'),
      );
      if (undone) this.#hold([`L7 a finished task has no undone expansion: ${taskId}`]);
    }
  }

  /** Slices that others are handed over to are told by their own flag. */
  #isExpansionCancelled({ taskId, shard, tried }: SliceRow): boolean {
    const { expansions } = shardRows(this.#world.truth.shards.of(shard));
    return tried.length === 0 && (expansions.get(expansionKey({ taskId, shard }))?.cancelled ?? false);
  }

  /** L2 as the places are made. */
  #addPlaces(row: SliceRow): void {
    for (const deviceId of row.deviceIds) {
      const place = `${row.taskId} ${row.channel} ${deviceId}`;
      if (this.#places.has(place)) this.#hold([`L2 within a task and channel a device has one place: ${place}`]);
      this.#places.add(place);
    }
  }

  /** A worker calls a vendor for a device, at this very moment. */
  calling(by: Process, { reference, deviceId, taskId, badge, notAfter }: Notification): void {
    const { now } = this.#world.scheduler;
    const key = parseReference(reference) as SliceKey;
    const intent = this.#intents.get(`${by.name} ${reference}`);
    const place = intent?.row.deviceIds.indexOf(deviceId) ?? -1;
    const about = `${reference} to ${deviceId}`;
    if (!intent || intent.row.status[place] !== placeStatus.attempting)
      this.#hold([`a vendor is called only after the intent is committed: ${about}`]);
    if (intent && now + DEADLINE_MS + LEASE_MARGIN_SECONDS * 1_000 > intent.at + LEASE_MS)
      this.#hold([`a vendor is called under a lease: ${about}`]);
    if (now >= notAfter.getTime()) this.#hold([`nothing is sent after not_after: ${about}`]);
    if (this.#sawCancel.has(`${by.name} ${reference}`)) this.#hold([`nothing new is sent after a cancel: ${about}`]);
    if (key.taskId !== taskId) this.#hold([`a repeat has the same collapse id: ${about}`]);
    const generation = intent?.row.generations[place] ?? 0;
    const changedAt = this.changedPhones.get(deviceId)?.get(generation) ?? Number.POSITIVE_INFINITY;
    if (now > changedAt + LEASE_MS) this.#hold([`nothing is sent to a former owner: ${about}`]);
    if (badge !== undefined) {
      const name = `${taskId} ${deviceId} ${generation}`;
      const first = this.#badges.get(name) ?? badge;
      // A badge that was reset by a change of hands in between is the new owner's and is not sent.
      if (first !== badge && now < changedAt) this.#hold([`the badge moves once per task: ${about}`]);
      this.#badges.set(name, first);
    }
    if (intent && this.acceptedPlaces.has(`${reference}.${place}`)) this.#world.faults.count('(sent again in doubt)');
  }

  /** The vendor has taken it, whoever hears of that. */
  accepted({ reference, deviceId }: Notification): void {
    const place = this.#placeOf(parseReference(reference) as SliceKey, deviceId);
    if (place) this.acceptedPlaces.add(place);
  }

  /** A worker has heard that the vendor took it. */
  learned(by: Process, { reference, deviceId }: Notification): void {
    const place = this.#placeOf(parseReference(reference) as SliceKey, deviceId);
    if (place) this.learnedPlaces.set(place, by);
  }

  /** A statement failed under this process: what it was about to write is as lost as in a crash. */
  lostWrite(by: Process): void {
    for (const [place, process] of this.learnedPlaces) if (process === by) this.learnedPlaces.delete(place);
  }

  /** A worker asks a gateway to write: the text is what `motion` sends. */
  delivering(by: Process, text: string): void {
    for (const [taskId, shard, slice] of JSON.parse(text) as [string, number, number][]) {
      const mine = `${by.name} ${taskId}.${shard}.${slice}`;
      if (this.#sawCancel.has(mine)) this.#hold([`nothing new is sent after a cancel: ${mine}`]);
      if (this.#world.scheduler.now > (this.#heldSince.get(mine) ?? 0) + LEASE_MS)
        this.#hold([`a gateway is asked under a lease: ${mine}`]);
    }
  }

  /** A frame is on a phone's screen. */
  shown(phone: Phone, device: ConnectedDevice, payload: string, gateway: Process): void {
    const { now } = this.#world.scheduler;
    const taskId = BigInt((JSON.parse(payload) as { task_id: string }).task_id);
    const task = homeRows(this.#world.truth.home).tasks.get(taskId)?.task as Task;
    const row = this.#nativeRow(taskId, device.deviceId);
    const place = row?.deviceIds.indexOf(device.deviceId) ?? -1;
    const about = `${taskId} to ${phone.name}`;
    if (!row) this.#hold([`a frame has a place: ${about}`]);
    if (row?.generations[place] !== device.generation) this.#hold([`nothing is shown to a former owner: ${about}`]);
    const changedAt = this.changedPhones.get(device.deviceId)?.get(device.generation) ?? Number.POSITIVE_INFINITY;
    const stoodStill = gateway.pausedUntil > changedAt || gateway.pausedUntil > now - INBOX_READ_MS_MAX;
    if (now > changedAt + REVOKED_MS_MAX && !stoodStill) this.#hold([`a session of a former owner ends: ${about}`]);
    if (now > task.notAfter.getTime() + INBOX_READ_MS_MAX && !stoodStill)
      this.#hold([`nothing is shown after not_after: ${about}`]);
  }

  wentOut(ref: PlaceRef | (SliceKey & { place: number })): void {
    this.writtenPlaces.add(`${sliceKeyText(ref)}.${ref.place}`);
  }

  /** A device has acknowledged, and a gateway has it in its memory. */
  answered(ref: PlaceRef, gateway: Process): void {
    const place = `${sliceKeyText(ref)}.${ref.place}`;
    this.receiptsTried.add(place);
    const { now } = this.#world.scheduler;
    if (!this.receiptsKept.has(place)) this.receiptsKept.set(place, { by: gateway, at: now });
  }

  reporting(key: SliceKey, deviceId: bigint): void {
    const row = this.#rowOf(key);
    const place = this.#placeOf(key, deviceId);
    if (!row || !place) return;
    this.receiptsTried.add(place);
    if (isOpen(row.status[row.deviceIds.indexOf(deviceId)] as number)) this.#world.faults.count('receipt early');
    if (hasBit(row.received, row.deviceIds.indexOf(deviceId))) this.#world.faults.count('(receipt again)');
  }

  /** A device was told that its report is kept. */
  reported(key: SliceKey, deviceId: bigint): void {
    const place = this.#placeOf(key, deviceId);
    if (place) this.receiptsKept.set(place, { at: this.#world.scheduler.now });
  }

  changedHands({ deviceId }: Phone, generation: number): void {
    const changes = this.changedPhones.get(deviceId) ?? new Map<number, number>();
    changes.set(generation, this.#world.scheduler.now);
    this.changedPhones.set(deviceId, changes);
  }

  /** A caller was answered. The same request is always the same task. */
  promise(request: string, taskId: bigint): void {
    const first = this.promised.get(request) ?? taskId;
    if (first !== taskId) this.#hold([`L1 a request key maps to one task: ${request}`]);
    this.promised.set(request, taskId);
  }

  #nativeRow(taskId: bigint, deviceId: bigint): SliceRow | undefined {
    const rows = this.#world.storages.flatMap((storage) => storage.taskSlices(taskId));
    return rows.find((row) => row.channel === 'nativepush' && row.deviceIds.includes(deviceId));
  }

  #rowOf(key: SliceKey): SliceRow | undefined {
    return this.#world.storageOf(key.shard).slices.get(sliceKeyText(key));
  }

  #placeOf(key: SliceKey, deviceId: bigint): string | undefined {
    const place = this.#rowOf(key)?.deviceIds.indexOf(deviceId) ?? -1;
    return place < 0 ? undefined : `${sliceKeyText(key)}.${place}`;
  }

  /** Not thrown: the product might catch it. */
  #hold(broken: readonly string[]): void {
    if (broken.length > 0) this.#world.scheduler.fail(new LawBroken(broken.join('; ')));
  }
}
