import type { Fault, Faults } from './faults.ts';
import { type Answer, type Ending, type HttpsRequest, htmlAnswer } from './https.ts';
import { asRecord } from './read.ts';

/** What a fault does to the request that meets it. A `truncate` serves it and cuts the answer. */
type Effect = 'stall' | 'reset' | 'truncate' | ((fault: Fault<string>) => Answer);

/** A vendor's faults by kind: where they befall, and what they do. */
export type FaultTable = Readonly<Record<string, { readonly door: string; readonly effect: Effect }>>;

/** The troubles that look alike at every vendor. A vendor adds those that it has words of its own for. */
export const commonFaults = {
  stall: { door: 'send', effect: 'stall' },
  reset: { door: 'send', effect: 'reset' },
  truncate: { door: 'send', effect: 'truncate' },
  html: { door: 'send', effect: () => htmlAnswer },
  /** Whatever the caller wants to be said: `{status, headers, body}`, where a body that is no text is sent as JSON. */
  answer: { door: 'send', effect: ({ call }) => wishedAnswer(call) },
} as const satisfies FaultTable;

/** Serves as the vendor does, unless a fault is waiting at this door. */
export function serveWithFaults<Kind extends string>(
  door: string,
  faults: Faults<Kind>,
  table: Readonly<Record<Kind, FaultTable[string]>>,
  serve: (request: HttpsRequest) => Ending,
): (request: HttpsRequest) => Ending {
  return (request) => {
    const fault = faults.take(door, Date.now());
    if (fault === undefined) return serve(request);
    const { effect } = table[fault.kind];
    if (effect === 'truncate') {
      const ending = serve(request);
      return ending.kind === 'answer' ? { ...ending, isCut: true } : ending;
    }
    if (typeof effect === 'string') return { kind: effect };
    const answer = effect(fault);
    return { kind: 'answer', label: `${answer.status} ${fault.kind}`, answer };
  };
}

/** What HTTP would not let through is left out: a wish must not end the simulator. */
function wishedAnswer({ status, headers, body }: Readonly<Record<string, unknown>>): Answer {
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  const texts = Object.entries(asRecord(headers)).filter(([name, value]) => /^[\w-]+ [ -~]*$/.test(`${name} ${value}`));
  return {
    status: isStatus ? status : 200,
    headers: {
      'content-type': 'application/json;charset=UTF-8',
      ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
  };
}
