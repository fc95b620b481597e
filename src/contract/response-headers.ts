import type { Operation } from './operation.ts';

/** A response header that the reference and the OpenAPI document describe. */
export interface ResponseHeader {
  readonly name: string;
  readonly type: 'string' | 'integer';
  readonly description: string;
  /** Returns whether the operation sends the header with this HTTP status. */
  readonly appliesTo: (operation: Operation, status: number) => boolean;
}

const checksMessage = ({ path }: Operation): boolean => path === '/push/notify' || path === '/push/validate';
const isLimited = ({ problems }: Operation): boolean =>
  problems.includes('too-many-requests') || problems.includes('too-many-logins');

/** Every response header that callers can use, in the order of the reference. */
export const responseHeaders: readonly ResponseHeader[] = [
  {
    name: 'X-Request-Id',
    type: 'string',
    description: 'ID of this request. Log entries about the request contain the same ID.',
    appliesTo: () => true,
  },
  {
    name: 'carillon-ignored-fields',
    type: 'string',
    description: 'Names of unknown request fields that were ignored, separated by commas. Absent if there are none.',
    appliesTo: (operation, status) => status === 200 && checksMessage(operation),
  },
  {
    name: 'Retry-After',
    type: 'integer',
    description: 'Number of seconds after which the call can be repeated.',
    appliesTo: (_operation, status) => status === 429 || status === 503,
  },
  {
    name: 'RateLimit-Limit',
    type: 'integer',
    description: 'Number of calls that are allowed per period. Absent if no limit applies.',
    appliesTo: (operation, status) => isLimited(operation) && (status === 200 || status === 429),
  },
  {
    name: 'RateLimit-Remaining',
    type: 'integer',
    description: 'Number of calls that are left in this period. Absent if no limit applies.',
    appliesTo: (operation, status) => isLimited(operation) && (status === 200 || status === 429),
  },
  {
    name: 'RateLimit-Reset',
    type: 'integer',
    description: 'Number of seconds until the period ends. Absent if no limit applies.',
    appliesTo: (operation, status) => isLimited(operation) && (status === 200 || status === 429),
  },
];
