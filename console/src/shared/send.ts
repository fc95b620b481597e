import {
  type Carillon,
  CarillonError,
  CarillonUnreachable,
  type PushNotifyRequest,
  type PushValidateResponse,
} from '../../../sdk/src/index.ts';

/** Time in which the operator can cancel a task before anything is sent. */
export const UNDO_SECONDS = 30;

/**
 * Sends a notification and returns its task. If the app requires the approval of large notifications, creates a draft
 * instead. Returns null if another operator must approve the draft. A repeated call with the same `request_id` continues
 * with the task or the draft of the first one.
 */
export async function send(api: Carillon, request: PushNotifyRequest, note = ''): Promise<bigint | null> {
  const { approval_above } = await api.admin.app.get();
  if (approval_above === null) return (await api.push.notify(request)).task_id;
  const { draft_id, needs_approval } = await api.push.draft.create({ ...request, ...(note !== '' && { note }) });
  return needs_approval ? null : (await api.push.draft.approve({ draft_id })).task_id;
}

/** Returns whether another operator must approve a notification, by the rule of the service. */
export const needsApproval = (
  approvalAbove: bigint | null,
  { devices, incomplete }: Pick<PushValidateResponse, 'devices' | 'incomplete'>,
): boolean => approvalAbove !== null && (incomplete || devices > approvalAbove);

/** The service has failed with codes from this one on. After a lower code, nothing was accepted. */
const SERVICE_ERROR_CODE_MIN = 50_000;

/** Returns whether the service may have accepted a notification, although the call has failed. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  (error instanceof CarillonUnreachable || (error instanceof CarillonError && error.code >= SERVICE_ERROR_CODE_MIN)) &&
  // Other calls only prepare it, such as the lookup of a user.
  error.operation.startsWith('/push/');

/** Returns a random idempotency key. `crypto.randomUUID` exists only on HTTPS pages. */
export const newRequestId = (): string =>
  `console-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
