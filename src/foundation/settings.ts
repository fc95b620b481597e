import { readFileSync } from 'node:fs';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/**
 * The settings of each folder, declared in `src/<folder>/settings.ts`. The keys are the headings in the documentation.
 */
export type SettingGroups = Readonly<Record<string, TObject>>;
export type LoadedSettings<G extends SettingGroups> = { readonly [K in keyof G]: Static<G[K]> };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Declares a setting that must never be logged or printed. Like every setting, it can be read from a file: `NAME_FILE`.
 */
export const secret = (options: { default?: string; description: string; pattern?: string }) =>
  Type.String({ ...options, secret: true });

/** Thrown once with all errors, so that an operator can fix the environment in one step. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Invalid settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/**
 * Reads every group from the environment. The value of a setting is read from `NAME`, or from the file that `NAME_FILE`
 * names if `NAME` is not set. If neither is set, the default applies.
 */
export function loadSettings<G extends SettingGroups>(groups: G, environment: Environment): LoadedSettings<G> {
  const faults: string[] = [];
  const loaded = Object.fromEntries(
    Object.entries(groups).map(([group, schema]) => [
      group,
      Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [
          name,
          readSetting(name, property, environment, faults),
        ]),
      ),
    ]),
  );
  if (faults.length > 0) throw new SettingsError(faults);
  return loaded as LoadedSettings<G>;
}

/**
 * Returns the names of environment variables that have the prefix but are not declared. They are almost always typing
 * errors that would otherwise go unnoticed.
 */
export function unknownSettings(groups: SettingGroups, environment: Environment, prefix: string): string[] {
  const declaredNames = new Set(Object.values(groups).flatMap((schema) => Object.keys(schema.properties)));
  return Object.keys(environment)
    .filter(
      (name) => name.startsWith(prefix) && !declaredNames.has(name) && !declaredNames.has(name.replace(/_FILE$/, '')),
    )
    .sort();
}

/** Returns the contents of `docs/reference/configuration.md`, generated from the declarations. */
export function describeSettings(groups: SettingGroups): string {
  const sections = Object.entries(groups).map(([group, schema]) => {
    const rows = Object.entries(schema.properties).map(([name, property]) => {
      const { default: fallback, description } = detailsOf(property);
      const defaultText = fallback === undefined ? 'required' : fallback === '' ? 'empty' : `\`${fallback}\``;
      return `| \`${name}\` | ${typeTextOf(property)} | ${defaultText} | ${description} |`;
    });
    return [`## ${group}`, '', '| Setting | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}

function readSetting(name: string, property: TSchema, environment: Environment, faults: string[]): unknown {
  const { default: fallback } = detailsOf(property);
  let text = environment[name];
  const file = environment[`${name}_FILE`];
  if (text === undefined && file !== undefined) {
    try {
      text = readFileSync(file, 'utf8').trim();
    } catch (cause) {
      faults.push(`${name}_FILE: cannot be read (${(cause as NodeJS.ErrnoException).code})`);
      return undefined;
    }
  }
  if (text === undefined) {
    if (fallback === undefined) faults.push(`${name} is required: ${detailsOf(property).description}`);
    return fallback;
  }
  const value = convert(property, text);
  if (!Value.Check(property, value)) faults.push(`${name} must be ${typeTextOf(property)}`);
  return value;
}

function convert(property: TSchema, text: string): unknown {
  switch ((property as { type?: string }).type) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    default:
      return text;
  }
}

function typeTextOf(property: TSchema): string {
  const { type, minimum, maximum, secret: isSecret, anyOf } = detailsOf(property);
  if (anyOf) return anyOf.map((option) => option.const).join(', ');
  const range =
    minimum !== undefined && maximum !== undefined
      ? ` ${minimum}–${maximum}`
      : minimum !== undefined
        ? ` ≥ ${minimum}`
        : '';
  return `${isSecret ? 'secret' : ''}${isSecret ? ' ' : ''}${type ?? 'string'}${range}`;
}

interface SettingDetails {
  type?: string;
  default?: string | number | boolean;
  description: string;
  minimum?: number;
  maximum?: number;
  secret?: boolean;
  anyOf?: readonly { const: string }[];
}

const detailsOf = (property: TSchema): SettingDetails => property as unknown as SettingDetails;

/** A port that cannot be opened. The message names its setting and the next step. */
export class ListenFailure extends Error {
  override name = 'ListenFailure';
}

/** Opens a port. If it is in use or not permitted, throws a `ListenFailure` that names the setting of the port. */
export async function listenWithSetting<T>(setting: string, port: number, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'EADDRINUSE')
      throw new ListenFailure(
        `${setting} ${port} is already in use. Stop the process that uses this port (\`ss -ltnp\` lists it), or set ${setting} to a free port.`,
        { cause: error },
      );
    if (code === 'EACCES')
      throw new ListenFailure(
        `${setting} ${port} may not be opened by this user. Set ${setting} to a port from 1024 to 65535.`,
        { cause: error },
      );
    throw error;
  }
}
