import type { Fault, Faults } from './faults.ts';
import { badGatewayResponse, type HttpResponse, type HttpsRequest, type SimulatedResponse } from './https.ts';
import { asRecord } from './read.ts';

/** Effect of a fault on a request. `truncate` serves the request and cuts the response. */
type Effect = 'stall' | 'reset' | 'truncate' | ((fault: Fault<string>) => HttpResponse);

/** A vendor's faults by kind, with the affected endpoint and the effect. */
export type FaultTable = Readonly<Record<string, { readonly endpoint: string; readonly effect: Effect }>>;

/** Faults that are the same for every vendor. A vendor adds faults with its own error responses. */
export const commonFaults = {
  stall: { endpoint: 'send', effect: 'stall' },
  reset: { endpoint: 'send', effect: 'reset' },
  truncate: { endpoint: 'send', effect: 'truncate' },
  html: { endpoint: 'send', effect: () => badGatewayResponse },
  /** Returns the given `{status, headers, body}`. A body that is not a string is sent as JSON. */
  answer: { endpoint: 'send', effect: ({ parameters }) => customResponse(parameters) },
} as const satisfies FaultTable;

/** Serves a request like the vendor, unless a fault is pending for this endpoint. */
export function serveWithFaults<Kind extends string>(
  endpoint: string,
  faults: Faults<Kind>,
  table: Readonly<Record<Kind, FaultTable[string]>>,
  serve: (request: HttpsRequest) => SimulatedResponse,
): (request: HttpsRequest) => SimulatedResponse {
  return (request) => {
    const fault = faults.take(endpoint, Date.now());
    if (fault === undefined) return serve(request);
    const { effect } = table[fault.kind];
    if (effect === 'truncate') {
      const result = serve(request);
      return result.kind === 'answer' ? { ...result, isCut: true } : result;
    }
    if (typeof effect === 'string') return { kind: effect };
    const response = effect(fault);
    return { kind: 'answer', label: `${response.status} ${fault.kind}`, response };
  };
}

/**
 * Returns the given response without values that are invalid in HTTP, because invalid values would crash the simulator.
 */
function customResponse({ status, headers, body }: Readonly<Record<string, unknown>>): HttpResponse {
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  const validHeaders = Object.entries(asRecord(headers)).filter(([name, value]) =>
    /^[\w-]+ [ -~]*$/.test(`${name} ${value}`),
  );
  return {
    status: isStatus ? status : 200,
    headers: {
      'content-type': 'application/json;charset=UTF-8',
      ...Object.fromEntries(validHeaders.map(([name, value]) => [name, String(value)])),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
  };
}
