import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import { readForm } from '../kit/read.ts';
import { batchOutcomeOf, isMalformed } from '../kit/token-outcomes.ts';
import type { App } from './apps.ts';
import type { Form } from './arrival.ts';
import { type Code, newMessageId, rejection, successResponse } from './responses.ts';
import { appOf, rateLimitExceeded, type SendContext, serverError } from './send-endpoint.ts';

/** Versions 1 and 2 end on 2026-12-01, and are not simulated. */
const PATH = '/v3/message/regid/revoke';
const TOKENS_MAX = 1000;
const FIELDS = ['registration_ids', 'restricted_package_name', 'notify_id'];

export const isRevoke = ({ path }: HttpsRequest): boolean => path === PATH;

/** Removes the notifications with this number from the screens of these phones, if they show them. */
export function serveRevoke(request: HttpsRequest, context: SendContext): SimulatedResponse {
  if (request.method !== 'POST') return rejection(10021, 'HTTP method is not supported');
  const app = appOf(request, context);
  if (app === undefined) return rejection(21301, 'Invalid application secret.');
  const fields = readForm(request);
  if (fields === undefined) return rejection(10007, 'Content-Type must be application/x-www-form-urlencoded');
  const form = Object.fromEntries(fields);
  const rejectionArguments = findRejection(form, app);
  return rejectionArguments === undefined ? revoke(app, form, context) : rejection(...rejectionArguments);
}

function findRejection(form: Form, app: App): readonly [Code, string] | undefined {
  const { registration_ids = '', restricted_package_name, notify_id = '' } = form;
  if (Object.keys(form).some((name) => !FIELDS.includes(name))) return [10008, 'the form has an unknown field'];
  if (registration_ids === '') return [10016, 'registration_ids is missing'];
  if (registration_ids.split(',').length > TOKENS_MAX) return [10017, 'more than 1000 targets'];
  if (!/^\d{1,10}$/.test(notify_id)) return [10017, 'notify_id'];
  const packages = restricted_package_name?.split(',') ?? [];
  return packages.every((name) => app.packageNames.includes(name)) ? undefined : [22022, 'restricted_package_name'];
}

function revoke({ appId }: App, form: Form, { arrivals, slowMs }: SendContext): SimulatedResponse {
  const tokens = (form.registration_ids ?? '').split(',');
  if (tokens.some(isMalformed)) return rejection(66007, 'a regid is malformed');
  const outcome = batchOutcomeOf(tokens);
  if (outcome.wholeRequest === 'busy') return rateLimitExceeded();
  if (outcome.wholeRequest === 'down') return serverError();
  if (outcome.reached.length === 0) return rejection(20301, 'No valid targets!');
  arrivals.recall(outcome.reached, ({ app_id, body }) => app_id === appId && body.notify_id === form.notify_id);
  const response = successResponse(newMessageId(Date.now()), outcome.reached.length, outcome.dead);
  const label = '200 0 revoked';
  return { kind: 'answer', label, response, isCut: outcome.isCut, ...(outcome.isLate && { afterMs: slowMs }) };
}
