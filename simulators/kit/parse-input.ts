/** An invalid request to a control API. The message is returned to the caller. */
export class BadControlRequest extends Error {}

export function parseRecord(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null) throw new BadControlRequest('the body must be a JSON object');
  return body as Record<string, unknown>;
}

export function parseCount(value: unknown, name: string, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max) {
    throw new BadControlRequest(`${name} must be an integer from 1 to ${max}`);
  }
  return value;
}

export function parseOneOf<Word extends string>(value: unknown, name: string, choices: readonly Word[]): Word {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new BadControlRequest(`${name} must be one of ${choices.join(', ')}`);
  return choice;
}

export function parseList(value: unknown, name: string, max: number): unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > max) {
    throw new BadControlRequest(`${name} must be a list of 1 to ${max} entries`);
  }
  return value;
}

export function parseString(value: unknown, name: string, charactersMax: number): string {
  if (typeof value !== 'string' || value === '' || value.length > charactersMax) {
    throw new BadControlRequest(`${name} must be a string of 1 to ${charactersMax} characters`);
  }
  return value;
}
