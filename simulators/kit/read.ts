import type { HttpsRequest } from './https.ts';

/** Functions that read received data of unknown type. */

const DEPTH_MAX = 32; // vendors' messages have fewer than ten levels

export type Json = Readonly<Record<string, unknown>>;

/** Returns an object unchanged, and an empty object for any other value. */
export function asRecord(value: unknown): Json {
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns undefined if the body is not UTF-8, not JSON, not an object or nested too deeply. */
export function parseObject(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isRecord(value) && !isNestedTooDeep(value) ? value : undefined;
  } catch {
    return undefined; // the caller rejects the body with the vendor's error
  }
}

/** Returns whether a value is nested too deeply. Serializing it would overflow the stack and crash the simulator. */
function isNestedTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return level.length > 0;
}

/** Returns whether a string contains a JSON object. Some fields of the vendors' messages are JSON in a string. */
export function isJsonObject(text: string): boolean {
  return parseObject(Buffer.from(text)) !== undefined;
}

/** Parses a form. Returns undefined if the request has another content type. */
export function readForm({ headers, body }: Pick<HttpsRequest, 'headers' | 'body'>): URLSearchParams | undefined {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(String(headers['content-type']));
  return isForm ? new URLSearchParams(body.toString()) : undefined;
}

export function hasJsonContentType({ headers }: Pick<HttpsRequest, 'headers'>): boolean {
  return /^application\/json\b/i.test(String(headers['content-type']));
}
