import type { Socket } from 'node:net';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import { deliverToSessions } from '#src/gateway/deliver.ts';
import { handlePuback } from '#src/gateway/packets/puback.ts';
import { InboxReader } from '#src/gateway/sessions/inbox.ts';
import { Presence } from '#src/gateway/sessions/presence.ts';
import { SessionReconciler } from '#src/gateway/sessions/reconcile-sessions.ts';
import { type ConnectedDevice, Session } from '#src/gateway/sessions/session.ts';
import { Sessions } from '#src/gateway/sessions/sessions.ts';
import { Receipts } from '#src/receipts/receipts.ts';
import { onTakeover, sendTakeover, serveDeliver, serveInbox } from '#src/signals/gateway.ts';
import type { Frame } from '../environment/codec.ts';
import type { Process } from '../environment/scheduler.ts';
import { read } from '../storage/database.ts';
import { shardRows } from '../storage/rows.ts';
import type { Phone } from './phone.ts';
import { REVOKED_MS_MAX } from './settings.ts';
import type { SimulatedSystem } from './simulated-system.ts';

const RECONCILE_MS = 60_000;

/** A connection between a phone and a gateway. */
export interface Connection {
  readonly gateway: Gateway;
  readonly phone: Phone;
  readonly session: Session;
  isOpen: boolean;
}

interface Parts {
  readonly presence: Presence;
  readonly receipts: Receipts;
  readonly inbox: InboxReader;
}

/** A gateway that is built from the product's modules. Only its sockets are simulated. */
export class Gateway {
  readonly process: Process;
  readonly #system: SimulatedSystem;
  readonly #name: string;
  readonly #sessions = new Sessions();
  readonly #connections = new Map<Session, Connection>();
  #parts: Parts | undefined;

  constructor(system: SimulatedSystem, name: string) {
    this.#system = system;
    this.#name = name;
    this.process = system.scheduler.createProcess(name);
    system.scheduler.run(this.process, () => this.#start());
  }

  get ready(): boolean {
    return this.process.alive && this.#parts !== undefined;
  }

  async #start(): Promise<void> {
    const { storage, log, scheduler, oracle } = this.#system;
    const sessions = this.#sessions;
    const clock = new DatabaseClock();
    const receipts = new Receipts(storage.shards, log);
    const { addReceived, addSent } = receipts;
    receipts.addReceived = (ref, taken) => {
      oracle.deviceAcknowledged(ref, this.process);
      addReceived.call(receipts, ref, taken);
    };
    receipts.addSent = (ref) => {
      oracle.written(ref);
      addSent.call(receipts, ref);
    };
    const inbox = new InboxReader({ storage, sessions, receipts, log });
    const signals = this.#system.bus.connection();
    const presence = new Presence({
      gateway: this.#name,
      shards: storage.shards,
      heartbeatShards: storage.shards,
      sessions,
      clock,
      readInboxes: (announced) => {
        for (const session of announced) inbox.read(session);
      },
      onDevicesTakenOver: (former, deviceIds) => sendTakeover(signals, former, deviceIds),
      onAnnouncementsRejected: (deviceIds) => reconciler.reconcile(deviceIds),
      onLateHeartbeat: (late) => reconciler.reconcileSessions(late),
      log,
    });
    const reconciler = new SessionReconciler({ shards: storage.shards, sessions, presence, inbox, log });
    for (;;) {
      try {
        await presence.start();
        break;
      } catch {
        await scheduler.sleep(500); // in production the process would be restarted
      }
    }
    serveDeliver(signals, this.#name, (deliveries) => {
      const results = deliverToSessions(sessions, clock, deliveries);
      deliveries.forEach((delivery, i) => {
        for (const place of results[i]?.written ?? []) oracle.written({ ...delivery, index: place });
      });
      return results;
    });
    serveInbox(signals, this.#name, (deviceIds) => {
      for (const deviceId of deviceIds) {
        const session = sessions.get(deviceId);
        if (session) inbox.read(session);
      }
    });
    onTakeover(signals, this.#name, (deviceIds) => reconciler.reconcile(deviceIds));
    this.#parts = { presence, receipts, inbox };
    reconciler.start(RECONCILE_MS);
  }

  /**
   * Connects a device like `packets/connect`: finds the device, announces its session, accepts it, and reads its inbox.
   */
  connect(phone: Phone): void {
    const { scheduler, random } = this.#system;
    scheduler.post(this.process, random.between(1, 30), `${phone.name} connects`, () => this.#open(phone));
  }

  async #open(phone: Phone): Promise<void> {
    const { appId, bucket, deviceId, generation, userId } = phone;
    const db = this.#system.storage.shards.dbFor(bucket);
    const { presence, inbox } = this.#parts as Parts;
    let connection: Connection | undefined;
    try {
      const since = await read(db, 'findConnectingDevice', () => {
        const row = shardRows(db).devices.get(deviceId);
        const isOwner = row?.generation === generation && row.userId !== null;
        return isOwner ? this.#system.nextInstant() : undefined;
      });
      if (since === undefined || userId === null || !phone.wantsConnection(generation)) return;
      const device: ConnectedDevice = {
        ...{ appId, bucket, deviceId, generation, userId, since },
        ...{
          tokenHash: '',
          tokenParent: null,
          tokenCreatedAt: 0,
          tokenExpiresAtMs: Number.POSITIVE_INFINITY,
          connectedAt: 0,
          isTakeover: false,
        },
      };
      const socket = this.#socketOf(phone, () => connection as Connection);
      const session = new Session({
        ...{ device, socket, version: 5, keepAliveMs: 600_000 },
        ...{ receiveMaximum: phone.windowMax, packetBytesMax: 1_000_000 },
        ...{ problemInformation: true, expiryRequested: false },
      });
      connection = { gateway: this, phone, session, isOpen: true };
      this.#connections.set(session, connection);
      this.#sessions.add(session);
      phone.connected(connection);
      await presence.connected(device);
      if (!connection.isOpen) return;
      session.connackSent = true;
      inbox.read(session);
    } catch {
      if (connection) this.disconnect(connection); // the phone tries again later
    }
  }

  #socketOf(phone: Phone, connectionOf: () => Connection): Socket {
    const end = () => this.disconnect(connectionOf());
    const socket = {
      writable: true,
      writableLength: 0,
      write: (frame: Frame | Buffer) => {
        if ('length' in frame) return; // a packet without a notification
        this.#system.oracle.shown(phone, connectionOf().session.device, frame.payload, this.process);
        phone.showFromGateway(connectionOf(), frame.packetId);
      },
      destroySoon: end,
      destroy: end,
    };
    return socket as unknown as Socket;
  }

  /** Handles a device's acknowledgement of a frame. */
  acknowledge(connection: Connection, packetId: number): void {
    const { scheduler, random } = this.#system;
    scheduler.post(this.process, random.between(1, 20), `puback ${packetId}`, () => {
      if (connection.isOpen && this.#parts)
        handlePuback(connection.session, { cmd: 'puback', messageId: packetId, reasonCode: 0 }, this.#parts);
    });
  }

  /** Handles a socket that either side has closed. */
  disconnect(connection: Connection): void {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    connection.phone.connectLater();
    const { scheduler } = this.#system;
    scheduler.post(this.process, 1, 'a socket closed', () => {
      this.#connections.delete(connection.session);
      if (this.#sessions.remove(connection.session)) this.#parts?.presence.disconnected(connection.session.device);
    });
  }

  /** Closes the sessions of an ended login within the time limit for revocation. */
  revoke(deviceId: bigint, generation: number): void {
    const { scheduler, random } = this.#system;
    scheduler.post(this.process, random.between(10, REVOKED_MS_MAX - 100), 'revokes', () => {
      const session = this.#sessions.get(deviceId);
      if (session && session.device.generation <= generation) session.close(0);
    });
  }

  crash(): void {
    this.process.crash();
    for (const connection of this.#connections.values()) {
      connection.isOpen = false;
      connection.phone.connectLater();
    }
  }
}
