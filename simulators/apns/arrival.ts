import type { PhoneView } from '../kit/page.ts';
import { asRecord, stringOrEmpty } from '../kit/read.ts';
import type { Environment } from './responses.ts';

/**
 * A push that was delivered to the simulated phone, in the format of the control API. `at` is in epoch milliseconds.
 */
export type Arrival = {
  readonly environment: Environment;
  readonly token: string;
  readonly apns_id: string;
  readonly topic: string;
  readonly push_type: string;
  readonly priority: number;
  readonly expiration: number | null;
  readonly collapse_id: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: number;
};

/**
 * Returns a push as the phone displays it. An alert that is a string is displayed as the body. There is no picture,
 * because the app downloads pictures itself.
 */
export function viewOf({ environment, token, topic, push_type, payload, at }: Arrival): PhoneView {
  const { alert, badge } = asRecord(payload.aps);
  const { title, body } = typeof alert === 'string' ? { title: '', body: alert } : asRecord(alert);
  const { aps: _aps, ...own } = payload;
  return {
    app: topic,
    title: stringOrEmpty(title),
    text: stringOrEmpty(body),
    badge: typeof badge === 'number' ? String(badge) : undefined,
    picture: undefined,
    data: Object.keys(own).length === 0 ? undefined : JSON.stringify(own),
    details: [push_type, environment],
    token,
    at,
  };
}
