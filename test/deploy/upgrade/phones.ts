import assert from 'node:assert/strict';
import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import type { Login } from '../../support/carillon.ts';
import { DeviceSwarm, type SwarmMember } from '../../support/device-swarm.ts';
import type { Installation, Version } from './installation.ts';

/**
 * Number of phones of each kind. `connected-or-apple` phones also have an APNs token. `late` phones stay switched off
 * until the rollback. `apple`, `slow-apple` and `xiaomi` phones never connect. The APNs simulator responds slowly for
 * `slow-apple` phones, so that calls are in flight while a worker stops.
 */
const kinds = { connected: 6, 'connected-or-apple': 6, late: 4, apple: 4, 'slow-apple': 8, xiaomi: 4 } as const;
export type PhoneKind = keyof typeof kinds;

export interface Phone {
  readonly kind: PhoneKind;
  readonly userId: bigint;
  /** Vendor token. */
  readonly token: string | undefined;
  /** Undefined if the phone never connects. */
  readonly member: SwarmMember | undefined;
}

/** A notification that a phone received, with the version of the gateway that sent it. */
export interface ReceivedNotification {
  readonly phone: Phone;
  readonly taskId: bigint;
  readonly gatewayVersion: Version | undefined;
}

/** Long enough for the phones to stay connected for the whole test without sending a PINGREQ. */
const KEEPALIVE_SECONDS = 600;

/** All phones, with the notifications that they received. */
export class Phones implements Disposable {
  readonly all: Phone[] = [];
  readonly received: ReceivedNotification[] = [];
  readonly #installation: Installation;
  #swarms: DeviceSwarm[] = [];

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  ofKinds(...wanted: readonly PhoneKind[]): Phone[] {
    return this.all.filter(({ kind }) => wanted.includes(kind));
  }

  /** Number of connections that were rejected, or broke before the CONNACK. */
  get refusals(): number {
    return this.#swarms.reduce((sum, { refusals }) => sum + refusals, 0);
  }

  /** Connects phones to any gateway that accepts them. They reconnect when a gateway disconnects them. */
  async connect(phones: readonly Phone[], ports = () => this.#installation.gatewayPorts): Promise<void> {
    const swarm = new DeviceSwarm(
      phones.map(({ member }) => member as SwarmMember),
      ports,
    );
    this.#swarms.push(swarm);
    await swarm.connectAll();
  }

  /** Returns the number of times that a vendor received each task, by vendor token. */
  async tally(vendor: VendorName): Promise<Map<bigint, ReadonlyMap<string, number>>> {
    const response = await fetch(`${this.#installation.simulators.vendors[vendor]?.control_url}/tally`);
    const { whole, tally } = (await response.json()) as {
      whole: boolean;
      tally: Record<string, Record<string, number>>;
    };
    assert.ok(whole);
    return new Map(Object.entries(tally).map(([taskId, tokens]) => [BigInt(taskId), new Map(Object.entries(tokens))]));
  }

  async add(kind: PhoneKind, i: number): Promise<void> {
    const { carillon } = this.#installation;
    const { data: user } = await carillon.post<{ user_id: number }>('/admin/user/create', {});
    const userId = BigInt(user.user_id);
    const deviceGuid = `${kind}-${i}`;
    const login = await carillon.post<Omit<Login, 'deviceGuid'>>('/admin/user/token', {
      user_id: userId,
      device_guid: deviceGuid,
    });
    const vendor = vendorOf(kind);
    const token = vendor && `${kind === 'slow-apple' ? 'slow' : 'live'}-${deviceGuid}`;
    if (vendor)
      await carillon.post('/device/bind', { provider: providerByVendor[vendor], token }, { token: login.data.token });
    const taskIds: string[] = [];
    const onNotification = (taskId: string, port: number) =>
      void this.received.push({ phone, taskId: BigInt(taskId), gatewayVersion: this.#installation.versionAt(port) });
    const member: SwarmMember = {
      userId,
      login: { ...login.data, deviceGuid },
      from: `127.0.1.${2 + i}`,
      apnsToken: token,
      acknowledges: true,
      keepalive: KEEPALIVE_SECONDS,
      onNotification: onNotification,
      taskIds,
      device: undefined,
      connects: 0,
    };
    const connects = kind === 'connected' || kind === 'connected-or-apple' || kind === 'late';
    const phone: Phone = { kind, userId, token, member: connects ? member : undefined };
    this.all.push(phone);
  }

  [Symbol.dispose](): void {
    for (const swarm of this.#swarms) swarm[Symbol.dispose]();
  }
}

const vendorOf = (kind: PhoneKind): VendorName | undefined =>
  kind === 'xiaomi' ? 'xiaomi' : kind === 'connected' || kind === 'late' ? undefined : 'apns';

/** Registers all phones with the previous version, and connects those that are not switched off. */
export async function createPhones(installation: Installation): Promise<Phones> {
  const phones = new Phones(installation);
  for (const [kind, count] of Object.entries(kinds) as [PhoneKind, number][])
    for (let i = 0; i < count; i++) await phones.add(kind, i);
  await phones.connect(phones.ofKinds('connected', 'connected-or-apple'));
  return phones;
}
