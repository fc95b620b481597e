import { parseJson, stringifyJson } from '../../../../sdk/src/index.ts';

/** Returns the recorded fields of a call for reading, such as `name: orders · scopes: push`. */
export function detailText(detail: string): string {
  return Object.entries(parseJson(detail) as object)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(' · ');
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : stringifyJson(value);
}
