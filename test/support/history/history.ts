import type { TestDevice } from '../device.ts';

/** A time span in milliseconds since 1970, by the clock of this machine. The simulators use the same clock. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A successful call of the API for one task. */
export interface TaskCall extends Span {
  readonly taskId: bigint;
}

/** Counters of a task, read through the API. */
export interface CountsRead extends TaskCall {
  readonly counts: Readonly<Record<string, number>>;
}

/** A notification that a device received. It ends with the PUBACK, or never if the device did not send one. */
export interface DeviceDelivery {
  readonly taskId: bigint;
  readonly device: string;
  readonly start: number;
  readonly end: number | undefined;
}

/** The notifications of a task that a vendor accepted for one token. */
export interface VendorDelivery extends TaskCall {
  readonly token: string;
  /** Number of accepted calls between `start` and `end`. */
  readonly calls: number;
}

/** A time span in which a part of the service failed, so that the outcome of a call can be in doubt. */
export interface Fault extends Span {
  readonly fault: string;
  /** Returns whether the fault affects a task and one of its devices or tokens. By default, it affects all. */
  readonly affects?: (taskId: bigint, recipient: string) => boolean;
}

/** Everything that callers, vendors and devices saw of a service during a test. `checkHistory` checks it. */
export interface HistoryEvents {
  readonly accepts: readonly TaskCall[];
  readonly cancels: readonly TaskCall[];
  readonly reads: readonly CountsRead[];
  readonly deliveries: readonly DeviceDelivery[];
  readonly vendorDeliveries: readonly VendorDelivery[];
  readonly faults: readonly Fault[];
  /** The tasks that are finished at the end. */
  readonly finished: ReadonlySet<bigint>;
  /**
   * Number of vendor calls whose outcome was in doubt, by the ledger and the metrics of the workers. If it is undefined,
   * the calls in doubt are those during a fault.
   */
  readonly vendorCallsInDoubt: number | undefined;
}

/** Records the history of a test. */
export class History implements HistoryEvents {
  readonly accepts: TaskCall[] = [];
  readonly cancels: TaskCall[] = [];
  readonly reads: CountsRead[] = [];
  readonly deliveries: DeviceDelivery[] = [];
  readonly vendorDeliveries: VendorDelivery[] = [];
  readonly faults: Fault[] = [];
  readonly finished = new Set<bigint>();
  vendorCallsInDoubt: number | undefined;

  /** Records a successful call that started at `start` and has ended now. */
  accepted(taskId: bigint, start: number): void {
    this.accepts.push({ taskId, start, end: Date.now() });
  }

  cancelled(taskId: bigint, start: number): void {
    this.cancels.push({ taskId, start, end: Date.now() });
  }

  /** Records the response of `/push/task/detail`. */
  countsRead(records: readonly Readonly<Record<string, number>>[], start: number): void {
    const end = Date.now();
    for (const { task_id, ...counts } of records)
      this.reads.push({ taskId: BigInt(task_id as number), counts, start, end });
  }

  /** Records a notification that a device has received and acknowledges now. */
  delivered(device: string, taskId: string, { acknowledged = true } = {}): void {
    const start = Date.now();
    this.deliveries.push({ taskId: BigInt(taskId), device, start, end: acknowledged ? start : undefined });
  }

  /** Records all notifications that a device receives from now on. */
  watch(name: string, device: TestDevice): void {
    device.client.on('message', () => this.delivered(name, device.taskIds.at(-1) as string));
  }

  /** Replaces the recorded deliveries of vendors with a new reading of the simulator. */
  setVendorDeliveries(deliveries: readonly VendorDelivery[]): void {
    this.vendorDeliveries.length = 0;
    for (const delivery of deliveries) this.vendorDeliveries.push(delivery);
  }

  /** Records the time of a fault. Its effects are included: it ends when the service works again. */
  async during<T>(fault: string, work: () => Promise<T>): Promise<T> {
    const start = Date.now();
    try {
      return await work();
    } finally {
      this.faults.push({ fault, start, end: Date.now() });
    }
  }
}
