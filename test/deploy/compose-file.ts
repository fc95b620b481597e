import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));

/** Fields that the tests read. The schema checks the others. */
export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly env_file?: readonly { readonly path: string }[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly security_opt?: readonly string[];
  readonly pull_policy?: string;
  readonly restart?: string;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly networks: readonly string[] | Readonly<Record<string, unknown>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly stop_grace_period?: string;
  readonly logging?: { readonly options?: Readonly<Record<string, string>> };
  readonly deploy?: {
    readonly replicas?: number;
    readonly resources?: { readonly limits?: Readonly<Record<string, string | number>> };
  };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export const readDeploy = (path: string) => readFileSync(join(deploy, path), 'utf8');

/** Returns `compose.yaml` with its anchors and merge keys resolved, as Compose reads it. Variables are not replaced. */
export const readCompose = (): ComposeFile => parse(readDeploy('compose.yaml'), { merge: true }) as ComposeFile;

/** Returns the `NAME=value` lines of an environment file. */
export const readEnvironment = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

export const networksOf = ({ networks }: ComposeService): readonly string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);
