import { tokens, users } from './fixtures.ts';
import type { Call, Expect, ExpectedTask } from './row.ts';

/** Valid values on which the rows about `/push/notify` are based. */

export const NOTIFY = '/push/notify';

export const goodMessage = { title: 'Title', body: 'hello' } as const;
/** The same message with the defaults of the spec. */
export const storedMessage = { type: 'text', badge: '+1', ...goodMessage } as const;
export const good = { audience: { user_id: [users.ann.userId] }, message: goodMessage } as const;

export const notify = (body: unknown = good, call: Partial<Call> = {}): Call => ({
  path: NOTIFY,
  token: tokens.admin,
  body,
  ...call,
});
export const withMessage = (message: unknown): Call => notify({ ...good, message });
export const withSetting = (setting: unknown): Call => notify({ ...good, setting });
export const withAudience = (audience: unknown): Call => notify({ ...good, audience });

export const stored = (task: ExpectedTask): Expect => ({ code: 200, task });
