import type { Arrival } from './arrival.ts';
import type { Gate } from './authenticator.ts';
import type { Devices } from './devices.ts';
import { checkHeaders, checkPayload, checkRequestLine, type PushRequest } from './request-checks.ts';
import { type Environment, type Refused, refused } from './responses.ts';
import { outcomeOf } from './token-outcomes.ts';

export type Verdict = { kind: 'accepted'; answer: 'at-once' | 'late' | 'never'; arrival: Arrival } | Refused;

type Circumstances = {
  readonly environment: Environment;
  readonly gate: Gate;
  readonly devices: Devices;
  readonly apnsId: string;
  readonly nowMs: number;
};

/**
 * The checks in Apple's order: method, path, certificate or provider token, topic and headers, body, device token,
 * then the device's own fate. A request wrong in two ways hears of the earlier one.
 */
export function judge(request: PushRequest, circumstances: Circumstances): Verdict {
  const { environment, gate, devices, apnsId, nowMs } = circumstances;
  const token = checkRequestLine(request);
  if (token.kind === 'refused') return token;
  const sender = gate.check(request.headers.authorization, nowMs);
  if (sender.kind === 'refused') return sender;
  const headers = checkHeaders(request, sender.value);
  if (headers.kind === 'refused') return headers;
  const payload = checkPayload(request, headers.value);
  if (payload.kind === 'refused') return payload;
  const objection = devices.check(token.value, environment, headers.value.topic);
  if (objection !== undefined) return refused(objection);
  const outcome = outcomeOf(token.value, nowMs);
  if (outcome.kind === 'refused') return outcome;

  return {
    kind: 'accepted',
    answer: outcome.answer,
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
