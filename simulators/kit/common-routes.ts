import type { AnyArrival, Arrivals } from './arrivals.ts';
import type { Routes } from './control.ts';
import type { Counts } from './counts.ts';
import { type Faults, parseFault } from './faults.ts';
import { type PhoneView, renderPage, screenOf } from './page.ts';
import { parseCount } from './parse-input.ts';
import type { Tally } from './tally.ts';

export type ControlContext<Arrival extends AnyArrival, Kind extends string> = {
  /** The vendor's name on the page. */
  readonly title: string;
  readonly viewOf: (arrival: Arrival) => PhoneView;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly counts: Counts<string>;
  readonly faults: Faults<Kind>;
  /** Returns the vendor's endpoint that a fault affects, or undefined for all endpoints. */
  readonly endpointOfFault: (kind: Kind, parameters: Readonly<Record<string, unknown>>) => string | undefined;
};

const ARRIVED_SHOWN = 1000;
const ARRIVED_SHOWN_MAX = 20_000; // about 80 MB in one response if each delivery has 4 KiB

/** Returns the routes that every control API has. A vendor adds its own routes. */
export function commonRoutes<Arrival extends AnyArrival, Kind extends string>(
  context: ControlContext<Arrival, Kind>,
): Routes {
  const { title, viewOf, arrivals, tally, counts, faults, endpointOfFault } = context;
  return {
    'GET /': () => ({ status: 200, html: renderPage(screenOf(title, arrivals.shown(), viewOf)) }),
    'GET /arrived': ({ query }) => {
      const matches = arrivals.list(query.get('token') ?? undefined);
      return { status: 200, json: { total: matches.length, arrived: matches.slice(-parseLimit(query.get('limit'))) } };
    },
    'DELETE /arrived': () => {
      arrivals.clear();
      tally.clear();
      return { status: 204 };
    },
    'GET /tally': () => ({ status: 200, json: tally.snapshot() }),
    'GET /tally/times': () => ({ status: 200, json: tally.times() }),
    'GET /counts': () => ({ status: 200, json: counts.snapshot() }),
    'POST /faults': ({ body }) => {
      faults.add(parseFault(body, faults.kinds, endpointOfFault, Date.now()));
      return { status: 204 };
    },
    'DELETE /faults': () => {
      faults.clear();
      return { status: 204 };
    },
  };
}

/** Parses the `limit` parameter, which limits the number of deliveries in the response. */
function parseLimit(value: string | null): number {
  return value === null ? ARRIVED_SHOWN : parseCount(Number(value), 'limit', ARRIVED_SHOWN_MAX);
}
