import type { PhoneView } from '../kit/page.ts';

/** A form's fields. */
export type Form = Readonly<Record<string, string>>;

/** A message that reached the pretend phone, as the control API shows it. */
export type Arrival = {
  readonly vendor: 'xiaomi';
  readonly app_id: string;
  readonly token: string;
  readonly request_id: string;
  /** How many tokens the request had. */
  readonly tokens: number;
  /** The form as it came, but for the list of tokens. */
  readonly body: Form;
  /** A phone shows the first message of a jobkey, and keeps silent about the next. */
  readonly is_shown: boolean;
  readonly at: number;
};

/** The task, as far as a message tells: what stays the same when it is sent again. */
export const taskOf = (body: Form): string | undefined => body['extra.jobkey'] ?? body.notify_id;

export function viewOf({ app_id, token, body, is_shown, at }: Arrival): PhoneView {
  return {
    app: app_id,
    title: body.title ?? '',
    text: body.description ?? '',
    badge: undefined, // the launcher counts by itself
    picture: undefined,
    data: body.payload,
    details: [body['extra.channel_id'] ?? 'default channel', is_shown ? '' : 'again, not shown'],
    token,
    at,
  };
}
