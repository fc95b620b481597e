import type { AdminAuditListRequest } from '../../../../sdk/src/index.ts';
import { isDay, startOfDay } from '../../shared/days.ts';
import { isId } from '../../shared/ids.ts';
import { isSender, toSender } from '../../shared/senders.ts';

/** The filters and the order of the audit log and the position in it, as the address contains them. */
export interface AuditSearch {
  /** `true` for the entries that belong to no app. */
  installation?: string;
  operation?: string;
  text?: string;
  /** The operator or the admin token that made the call, such as `operator:3`. */
  by?: string;
  /** Days, such as `2026-11-18`, in the time zone of the browser. The last day is included. */
  from?: string;
  to?: string;
  /** Latest first if it is missing. */
  order?: 'oldest';
  after?: string;
}

const isTrue = (value: unknown): boolean => value === 'true';
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const checks: { readonly [Name in keyof Required<AuditSearch>]: (value: unknown) => boolean } = {
  installation: isTrue,
  operation: isText,
  text: isText,
  by: isSender,
  from: isDay,
  to: isDay,
  order: (value) => value === 'oldest',
  after: isId,
};

/** Returns the valid parts of an address. */
export const toAuditSearch = (search: Readonly<Record<string, unknown>>): AuditSearch =>
  Object.fromEntries(
    Object.entries(checks).flatMap(([name, check]) => (check(search[name]) ? [[name, search[name]]] : [])),
  );

/** Returns the number of conditions, without the order and the choice between the app and the installation. */
export const countFilters = ({
  installation: _installation,
  order: _order,
  after: _after,
  ...filters
}: AuditSearch): number => Object.keys(filters).length;

/** Returns the fields of `/admin/audit/list`. */
export const toAuditRequest = ({
  installation,
  operation,
  text,
  by,
  from,
  to,
  order,
  after,
}: AuditSearch): AdminAuditListRequest => ({
  ...ofSender(by),
  ...(installation !== undefined && { installation: true }),
  ...(operation !== undefined && { operation }),
  ...(text !== undefined && { text }),
  ...(from !== undefined && { from: startOfDay(from) }),
  ...(to !== undefined && { to: startOfDay(to, 1) }),
  ...(order && { order }),
  ...(after !== undefined && { after: BigInt(after) }),
});

function ofSender(by: string | undefined): AdminAuditListRequest {
  const sender = toSender(by);
  if (!sender) return {};
  return sender.kind === 'operator' ? { operator_id: sender.id } : { token_id: sender.id };
}
