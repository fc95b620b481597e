import { recordDeviceReceipts } from '#src/receipts/device-receipts.ts';
import { setBadge } from '#src/storage/devices/badges.ts';
import type { PacketContext } from './packets/packet-handler.ts';
import { reason } from './reason-codes.ts';
import type { PendingReports, Report } from './report.ts';
import type { Session } from './sessions/session.ts';

interface QueuedReport {
  /** Absent at QoS 0. */
  readonly packetId: number | undefined;
  readonly report: Report;
}

/**
 * Reports of a device that have no PUBACK yet. They are recorded one at a time, because PUBACKs must be sent in the
 * order of the reports [MQTT-4.6.0-2]. A session has a queue only while it contains reports.
 */
export class ReportQueue implements PendingReports {
  readonly #session: Session;
  readonly #context: PacketContext;
  readonly #queue: QueuedReport[] = [];

  static forSession(session: Session, context: PacketContext): PendingReports {
    session.reportQueue ??= new ReportQueue(session, context);
    return session.reportQueue;
  }

  private constructor(session: Session, context: PacketContext) {
    this.#session = session;
    this.#context = context;
  }

  get size(): number {
    return this.#queue.length;
  }

  has(packetId: number): boolean {
    return this.#queue.some((queued) => queued.packetId === packetId);
  }

  add(packetId: number | undefined, report: Report): void {
    this.#queue.push({ packetId, report });
    if (this.#queue.length === 1) void this.#processQueue();
  }

  /**
   * Processes the queued reports in order. Never rejects: a failure to record a report is converted to a reason code.
   */
  async #processQueue(): Promise<void> {
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const reasonCode = next.report.kind === 'refused' ? next.report.reasonCode : await this.#record(next.report);
      this.#queue.shift();
      if (next.packetId !== undefined) this.#sendPuback(next.packetId, reasonCode);
    }
    this.#session.reportQueue = undefined;
  }

  async #record(report: Exclude<Report, { kind: 'refused' }>): Promise<number> {
    const { storage, receipts, log } = this.#context;
    const { device } = this.#session;
    try {
      if (report.kind === 'receipt') {
        await recordDeviceReceipts({ shards: storage.shards, receipts }, device, report.references, report);
        return reason.normal;
      }
      const isOwner = await setBadge(storage.shards.dbFor(device.bucket), device, report.badge);
      return isOwner ? reason.normal : reason.notAuthorised;
    } catch (error) {
      log.warn('report-failed', { kind: report.kind, error });
      return reason.notRecorded;
    }
  }

  /**
   * Sends the PUBACK. 3.1.1 has no reason codes. A 3.1.1 connection is therefore closed without a PUBACK if a retry can
   * succeed. A report that can never succeed is acknowledged.
   */
  #sendPuback(packetId: number, reasonCode: number): void {
    const session = this.#session;
    if (session.version === 4 && reasonCode === reason.notRecorded) session.close(reasonCode);
    else
      session.send({
        cmd: 'puback',
        messageId: packetId,
        ...(session.version === 5 && { reasonCode, ...session.reasonCodeProperties(reasonCode) }),
      });
  }
}
