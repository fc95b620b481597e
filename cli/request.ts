import type { Option } from 'commander';
import { type Field, type Operation, parseJson } from '../sdk/src/index.ts';
import { UsageError } from './failure.ts';
import { flagOf, isPassword, isVendor } from './field-options.ts';
import type { Inputs } from './inputs.ts';
import { toProvider, unknownVendor } from './vendor-names.ts';

/** An option value as parsed by Commander: a string, several strings, or true for an option without a value. */
type OptionValue = string | readonly string[] | true | undefined;

/** Builds the request from the options and `--request`. An option takes precedence over the field of the same name. */
export async function toRequest(
  operation: Operation,
  options: readonly { readonly field: Field; readonly option: Option }[],
  optionValues: Readonly<Record<string, unknown>>,
  inputs: Inputs,
): Promise<Record<string, unknown>> {
  const request = await readRequestOption(optionValues.request as string | undefined, inputs);
  for (const { field, option } of options) {
    const flag = flagOf(operation, field);
    const value = optionValues[option.attributeName()] as OptionValue;
    if (value !== undefined) request[field.name] = await toField(field, flag, value, inputs);
    else if (field.required && isPassword(field) && request[field.name] === undefined && inputs.canPrompt)
      request[field.name] = await promptFor(flag, inputs);
  }
  const missing = operation.fields.filter(({ name, required }) => required && request[name] === undefined);
  if (missing.length > 0)
    throw new UsageError(`${missing.map((field) => flagOf(operation, field)).join(' and ')} must be given.`);
  return request;
}

/** Returns the request given with `--request`, or an empty object. */
export async function readRequestOption(json: string | undefined, inputs: Inputs): Promise<Record<string, unknown>> {
  if (json === undefined) return {};
  return { ...toObject('--request', await inputs.read(json, '--request')) };
}

async function toField(
  field: Field,
  flag: string,
  optionValue: Exclude<OptionValue, undefined>,
  inputs: Inputs,
): Promise<unknown> {
  if (field.kind === 'boolean') return optionValue === true || optionValue === 'true';
  if (optionValue === true) return await promptFor(flag, inputs);
  if (typeof optionValue === 'string')
    return toValue(field, flag, await inputs.read(optionValue, flag, { binary: isBinary(field) }));
  const texts: string[] = [];
  for (const item of optionValue) texts.push(...(await readItems(item, flag, inputs)));
  return texts.map((text) => toValue(field, flag, text));
}

/** Returns the items of a list value. A file has one item per line. */
export async function readItems(item: string, flag: string, inputs: Inputs): Promise<string[]> {
  const text = await inputs.read(item, flag);
  return item.startsWith('@') ? text.split(/\r?\n/).filter((line) => line.trim() !== '') : [text];
}

/** Returns whether a field can be a binary file. A p12 file is sent as base64. */
const isBinary = ({ name }: Field): boolean => name === 'certificate';

async function promptFor(flag: string, inputs: Inputs): Promise<string> {
  if (!inputs.canPrompt)
    throw new UsageError(
      `${flag} requires a value when the command is not run interactively. Use @path to read a file, or @- to read standard input.`,
    );
  return await inputs.promptSecret(`${flag.slice(2)}: `);
}

function toValue(field: Field, flag: string, text: string): unknown {
  if (isVendor(field)) return toVendor(flag, text);
  const { kind, choices } = field;
  switch (kind) {
    case 'int64':
      if (/^-?\d{1,19}$/.test(text)) return BigInt(text);
      throw new UsageError(`${flag} must be an integer, not "${text}".`);
    case 'integer':
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      throw new UsageError(`${flag} must be an integer, not "${text}".`);
    case 'object':
      return choices?.includes(text) ? text : toObject(flag, text);
    default:
      return text;
  }
}

function toVendor(flag: string, text: string): number {
  const provider = toProvider(text);
  if (provider === undefined) throw new UsageError(unknownVendor(flag, text));
  return provider;
}

export function toObject(flag: string, text: string): object {
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new UsageError(`${flag} must be valid JSON: ${(cause as Error).message}.`, { cause });
  }
  throw new UsageError(`${flag} must be a JSON object.`);
}
