import type { HttpsRequest } from './https.ts';

/** How simulators look into what they were sent: nothing in it can be trusted to have a type. */

const DEPTH_MAX = 32; // no vendor's message has ten

export type Json = Readonly<Record<string, unknown>>;

/** An object as it is, anything else as an empty one. */
export function asRecord(value: unknown): Json {
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Nothing when it is not UTF-8, not JSON, no object, or nested beyond reason. */
export function parseObject(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isRecord(value) && !isNestedTooDeep(value) ? value : undefined;
  } catch {
    return undefined; // the caller refuses it in its vendor's words
  }
}

/** Writing it down again would need more stack than there is, and end the simulator. */
function isNestedTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return level.length > 0;
}

/** JSON within JSON, as these services like it. */
export function isJsonObject(text: string): boolean {
  return parseObject(Buffer.from(text)) !== undefined;
}

/** Nothing when it does not say that it is a form. */
export function readForm({ headers, body }: Pick<HttpsRequest, 'headers' | 'body'>): URLSearchParams | undefined {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(String(headers['content-type']));
  return isForm ? new URLSearchParams(body.toString()) : undefined;
}

export function hasJsonContentType({ headers }: Pick<HttpsRequest, 'headers'>): boolean {
  return /^application\/json\b/i.test(String(headers['content-type']));
}
