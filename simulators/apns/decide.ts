import type { Arrival } from './arrival.ts';
import type { Authenticator } from './authenticator.ts';
import type { Devices } from './devices.ts';
import { checkHeaders, checkPayload, checkRequestLine, type PushRequest } from './request-checks.ts';
import { type Environment, type Rejection, reject } from './responses.ts';
import { outcomeOf } from './token-outcomes.ts';

export type Decision = { kind: 'accepted'; responseTiming: 'at-once' | 'late' | 'never'; arrival: Arrival } | Rejection;

type DecisionContext = {
  readonly environment: Environment;
  readonly authenticator: Authenticator;
  readonly devices: Devices;
  readonly apnsId: string;
  readonly nowMs: number;
};

/**
 * Checks a request in Apple's order: method, path, certificate or provider token, topic and headers, body, device
 * token. The outcome of the device token comes last. Only the first error is returned.
 */
export function decide(request: PushRequest, context: DecisionContext): Decision {
  const { environment, authenticator, devices, apnsId, nowMs } = context;
  const token = checkRequestLine(request);
  if (token.kind === 'refused') return token;
  const sender = authenticator.check(request.headers.authorization, nowMs);
  if (sender.kind === 'refused') return sender;
  const headers = checkHeaders(request, sender.value);
  if (headers.kind === 'refused') return headers;
  const payload = checkPayload(request, headers.value);
  if (payload.kind === 'refused') return payload;
  const reason = devices.check(token.value, environment, headers.value.topic);
  if (reason !== undefined) return reject(reason);
  const outcome = outcomeOf(token.value, nowMs);
  if (outcome.kind === 'refused') return outcome;

  return {
    kind: 'accepted',
    responseTiming: outcome.responseTiming,
    arrival: {
      environment,
      token: token.value,
      apns_id: apnsId,
      topic: headers.value.topic,
      push_type: headers.value.pushType,
      priority: headers.value.priority,
      expiration: headers.value.expiration,
      collapse_id: headers.value.collapseId,
      payload: payload.value,
      at: nowMs,
    },
  };
}
