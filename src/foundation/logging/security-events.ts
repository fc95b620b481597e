import { addressKeyOf } from '../address-key.ts';

type Fields = Readonly<Record<string, unknown>>;

const PERIOD_MS = 60_000;
/** Maximum number of lines per event and address in a period. */
const LINES_PER_ADDRESS_MAX = 5;
/** Maximum number of lines per event in a period, for attacks from many addresses. */
const LINES_PER_EVENT_MAX = 100;
/** Maximum number of addresses that are counted per event in a period. */
const ADDRESSES_MAX = 1_000;
/** Number of addresses in a summary, those with the most suppressed events first. */
const ADDRESSES_IN_SUMMARY = 5;

interface EventCount {
  lines: number;
  suppressed: number;
  readonly addresses: Map<string, { lines: number; suppressed: number }>;
}

/**
 * Limits the lines of security events, so that a flood of denied requests does not fill the log. The events that were
 * not written are counted. At the end of the period, one line per event contains their number.
 */
export class SecurityEvents {
  readonly #write: (event: string, fields: Fields) => void;
  readonly #counts = new Map<string, EventCount>();
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (event: string, fields: Fields) => void) {
    this.#write = write;
  }

  record(event: string, fields: Fields & { readonly address?: string | undefined }): void {
    this.#timer ??= setTimeout(() => this.#endPeriod(), PERIOD_MS).unref();
    const count = this.#counts.get(event) ?? { lines: 0, suppressed: 0, addresses: new Map() };
    this.#counts.set(event, count);
    const address = addressKeyOf(fields.address ?? '');
    const ofAddress = count.addresses.get(address) ?? { lines: 0, suppressed: 0 };
    if (count.addresses.size < ADDRESSES_MAX) count.addresses.set(address, ofAddress);
    if (ofAddress.lines >= LINES_PER_ADDRESS_MAX || count.lines >= LINES_PER_EVENT_MAX) {
      count.suppressed++;
      ofAddress.suppressed++;
      return;
    }
    count.lines++;
    ofAddress.lines++;
    this.#write(event, fields);
  }

  #endPeriod(): void {
    this.#timer = undefined;
    const counts = [...this.#counts];
    this.#counts.clear();
    for (const [event, { suppressed, addresses }] of counts) {
      if (suppressed === 0) continue;
      const most = [...addresses].toSorted(([, a], [, b]) => b.suppressed - a.suppressed);
      this.#write('security-events-suppressed', {
        suppressedEvent: event,
        count: suppressed,
        addresses: most
          .slice(0, ADDRESSES_IN_SUMMARY)
          .filter(([, ofAddress]) => ofAddress.suppressed > 0)
          .map(([address, ofAddress]) => ({ address, count: ofAddress.suppressed })),
      });
    }
  }
}
