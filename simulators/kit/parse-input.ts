/** The caller of a control API erred; the text is for them. */
export class BadCall extends Error {}

export function parseRecord(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null) throw new BadCall('the body must be a JSON object');
  return body as Record<string, unknown>;
}

export function parseCount(value: unknown, name: string, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max) {
    throw new BadCall(`${name} must be a whole number from 1 to ${max}`);
  }
  return value;
}

export function parseOneOf<Word extends string>(value: unknown, name: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === value);
  if (word === undefined) throw new BadCall(`${name} must be one of ${words.join(', ')}`);
  return word;
}

export function parseList(value: unknown, name: string, max: number): unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > max) {
    throw new BadCall(`${name} must be a list of 1 to ${max}`);
  }
  return value;
}

export function parseText(value: unknown, name: string, charactersMax: number): string {
  if (typeof value !== 'string' || value === '' || value.length > charactersMax) {
    throw new BadCall(`${name} must be a text of 1 to ${charactersMax} characters`);
  }
  return value;
}
