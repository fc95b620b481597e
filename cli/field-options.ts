import { Option } from 'commander';
import type { Field, Operation } from '../sdk/src/index.ts';

/** Fields whose option would be taken for another one. */
const flagOverrides: Readonly<Record<string, string>> = {
  // `--token` says who calls.
  '/device/bind token': 'vendor-token',
};

/** `user_id` is `--user-id`. */
export function flagOf({ path }: Operation, { name }: Field): string {
  return `--${flagOverrides[`${path} ${name}`] ?? name.replaceAll('_', '-')}`;
}

/** What a field takes on the command line. */
export function toOption(operation: Operation, field: Field): Option {
  const { description, required, choices, kind } = field;
  const option = new Option(
    `${flagOf(operation, field)} ${placeholderOf(field)}`,
    required ? `${description} (required)` : description,
  );
  if (kind === 'boolean') return option.choices(['true', 'false']);
  // An object that may also be a word says so in its description.
  return choices && kind !== 'object' ? option.choices(choices) : option;
}

/** A password may be given without a value: then it is asked for. */
export const isPassword = ({ name }: Field): boolean => name === 'password';

function placeholderOf(field: Field): string {
  const typeName = { text: 'text', int64: 'integer', integer: 'integer', boolean: 'true|false', object: 'json' }[
    field.kind
  ];
  if (field.list) return `<${typeName}...>`;
  return field.kind === 'boolean' || isPassword(field) ? `[${typeName}]` : `<${typeName}>`;
}
