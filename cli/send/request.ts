import { UsageError } from '../failure.ts';
import type { Inputs } from '../inputs.ts';
import { readItems, readRequestOption, toObject } from '../request.ts';
import type { SendOptions } from './options.ts';
import { toUnixSeconds } from './time.ts';

/** A request of `/push/notify`, with the fields that this command changes. */
export interface NotifyRequest extends Record<string, unknown> {
  audience: unknown;
  message: Record<string, unknown>;
  setting: Record<string, unknown>;
}

/** Builds the request from flags and `--request`. A flag takes precedence over the field of the same name. */
export async function toNotifyRequest(options: SendOptions, inputs: Inputs, now: Date): Promise<NotifyRequest> {
  const base = await readRequestOption(options.request, inputs);
  const request: NotifyRequest = {
    ...base,
    audience: (await readAudience(options, inputs)) ?? base.audience,
    message: { ...asObject(base.message, 'message'), ...(await readMessage(options, inputs, now)) },
    setting: { ...asObject(base.setting, 'setting'), ...readSetting(options) },
  };
  if (options.sound !== undefined)
    for (const platform of ['ios', 'android'])
      request.message[platform] = { ...asObject(request.message[platform], platform), sound: options.sound };
  if (request.audience === undefined || request.audience === null)
    throw new UsageError('The audience is missing. Set --user-id, --alias, --tag, --push-token or --all.');
  if (Object.keys(request.message).length === 0)
    throw new UsageError(
      'The message is missing. Set --title, --body, --image or --data, or --request with a message.',
    );
  return request;
}

const audienceFlags = { user_id: 'userId', alias: 'alias', tag: 'tag', push_token: 'pushToken' } as const;

async function readAudience(options: SendOptions, inputs: Inputs): Promise<unknown> {
  const selectors = Object.entries(audienceFlags).flatMap(([key, option]) => {
    const values = options[option];
    return values === undefined ? [] : [{ key, flag: `--${key.replace('_', '-')}`, values }];
  });
  const flags = [...selectors.map(({ flag }) => flag), ...(options.all ? ['--all'] : [])];
  if (flags.length > 1)
    throw new UsageError(`A notification has one audience, not ${flags.join(' and ')}. Set only one of them.`);
  if (options.all) return 'all';
  const [selector] = selectors;
  if (!selector) return undefined;
  const items: string[] = [];
  for (const value of selector.values) items.push(...(await readItems(value, selector.flag, inputs)));
  return { [selector.key]: selector.key === 'user_id' ? items.map(toUserId) : items };
}

function toUserId(text: string): bigint {
  if (!/^\d{1,19}$/.test(text.trim())) throw new UsageError(`--user-id must be an integer, not "${text}".`);
  return BigInt(text);
}

async function readMessage(options: SendOptions, inputs: Inputs, now: Date): Promise<Record<string, unknown>> {
  const read = async (value: string | undefined, flag: string) =>
    value === undefined ? undefined : await inputs.read(value, flag);
  const data = await read(options.data, '--data');
  const message = {
    title: await read(options.title, '--title'),
    body: await read(options.body, '--body'),
    big_text: await read(options.bigText, '--big-text'),
    attachment_url: options.image,
    type: options.type ?? (options.image === undefined ? undefined : 'image'),
    badge: toBadge(options.badge),
    ext: data === undefined ? undefined : toObject('--data', data),
    show_begin_time: toUnixSeconds('--begin', options.begin, now),
    show_end_time: toUnixSeconds('--end', options.end, now),
  };
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined));
}

function toBadge(text: string | undefined): string | undefined {
  if (text !== undefined && !/^\+?\d{1,9}$/.test(text))
    throw new UsageError(`--badge must be a number such as 3 or +1, not "${text}".`);
  return text;
}

function readSetting({ requestId, strategy, vendors, hold }: SendOptions): Record<string, unknown> {
  if (hold !== undefined && !/^\d{1,3}$/.test(hold))
    throw new UsageError(`--hold must be a number of seconds from 0 to 300, not "${hold}".`);
  return {
    ...(requestId !== undefined && { request_id: requestId }),
    ...(strategy !== undefined && { distribution_strategy: strategy }),
    ...(vendors !== undefined && { ospush_sequence: vendors }),
    ...(hold !== undefined && { hold_seconds: Number(hold) }),
  };
}

/** Returns a field of `--request` as an object, because a flag may set a field inside it. */
function asObject(value: unknown, name: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`--request: ${name} must be an object.`);
}
