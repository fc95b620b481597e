import { isUtf8 } from 'node:buffer';
import { Value } from 'typebox/value';
import { reportSchemas } from '#src/contract/mqtt.ts';
import { isBlank } from '#src/domain/blank.ts';
import { reason } from './reason-codes.ts';

/** A report from a device, or the reason code with which it is rejected. */
export type Report =
  | { readonly kind: 'receipt'; readonly references: readonly string[]; readonly isClick: boolean }
  | { readonly kind: 'badge'; readonly badge: number }
  | { readonly kind: 'refused'; readonly reasonCode: number };

/** The reports of a session that have no response yet. */
export interface PendingReports {
  readonly size: number;
  has(packetId: number): boolean;
  add(packetId: number | undefined, report: Report): void;
}

export function readReport(topic: string, payload: Buffer, isDeclaredUtf8: boolean): Report {
  if (!isReportTopic(topic)) return { kind: 'refused', reasonCode: reason.notAuthorised };
  const invalid = { kind: 'refused', reasonCode: reason.payloadFormatInvalid } as const;
  if (isDeclaredUtf8 && !isUtf8(payload)) return invalid; // [MQTT5 3.3.2.3.2]
  const value = parseJson(payload);
  if (topic === 'report/badge')
    return Value.Check(reportSchemas[topic], value) ? { kind: 'badge', badge: value.badge ?? 0 } : invalid;
  const isValid = Value.Check(reportSchemas[topic], value) && !value.list.some(isBlank);
  return isValid ? { kind: 'receipt', references: value.list, isClick: value.event === 'clicked' } : invalid;
}

const isReportTopic = (topic: string): topic is keyof typeof reportSchemas => Object.hasOwn(reportSchemas, topic);

function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return undefined; // no schema accepts undefined
  }
}
