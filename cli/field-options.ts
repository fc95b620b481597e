import { Option } from 'commander';
import type { Field, Operation } from '../sdk/src/index.ts';
import { vendorNames } from './vendor-names.ts';

/** Option names for fields whose own name is already used by a global option. */
const flagOverrides: Readonly<Record<string, string>> = {
  // `--token` is the access token of the caller.
  '/device/bind token': 'vendor-token',
};

/** Returns the option name of a field: `--user-id` for `user_id`. */
export function flagOf({ path }: Operation, { name }: Field): string {
  return `--${flagOverrides[`${path} ${name}`] ?? name.replaceAll('_', '-')}`;
}

/** Returns the command-line option of a field. */
export function toOption(operation: Operation, field: Field): Option {
  const { required, choices, kind } = field;
  const description = isVendor(field) ? 'Vendor, as a name or as its number in the API.' : field.description;
  const option = new Option(
    `${flagOf(operation, field)} ${placeholderOf(field)}`,
    required ? `${description} (required)` : description,
  );
  if (isVendor(field)) {
    // Not `choices()`, which would reject the numbers and the other names.
    option.argChoices = [...vendorNames];
    return option;
  }
  if (kind === 'boolean') return option.choices(['true', 'false']);
  // An object field can also accept certain strings. Its description lists them.
  return choices && kind !== 'object' ? option.choices(choices) : option;
}

/** Returns whether a field is the number of a vendor. Its option also accepts the name. */
export const isVendor = ({ name }: Field): boolean => name === 'provider';

/** Returns whether a field is a password. If its option has no value, the command prompts for the password. */
export const isPassword = ({ name }: Field): boolean => name === 'password' || name === 'old_password';

function placeholderOf(field: Field): string {
  const typeName = { text: 'text', int64: 'integer', integer: 'integer', boolean: 'true|false', object: 'json' }[
    field.kind
  ];
  if (isVendor(field)) return '<vendor>';
  if (field.list) return `<${typeName}...>`;
  return field.kind === 'boolean' || isPassword(field) ? `[${typeName}]` : `<${typeName}>`;
}
