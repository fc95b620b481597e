import type { Option } from 'commander';
import { Carillon, type CarillonOptions, type Field, type Operation, type OperationResult } from '../sdk/src/index.ts';
import { UsageError } from './failure.ts';
import { Inputs } from './inputs.ts';
import { printJson, printText } from './print.ts';
import { printable } from './printable.ts';
import { toRequest } from './request.ts';
import { columnsOf } from './terminal.ts';

/** Options that identify the service, the app and the caller. */
export interface Globals {
  readonly url?: string;
  readonly app?: string;
  readonly token?: string;
  readonly asUser?: string;
  readonly asGroup?: string;
  /** Whether responses are printed as JSON. */
  readonly json?: boolean;
}

/** A command of an operation, with the options that the user has given. */
export interface OperationCommand {
  readonly operation: Operation;
  readonly options: readonly { readonly field: Field; readonly option: Option }[];
  readonly optionValues: Readonly<Record<string, unknown>>;
  readonly globals: Globals;
}

/** Calls the operation of a command and prints the response. */
export async function runOperation(command: OperationCommand): Promise<void> {
  const { globals } = command;
  const { call, request } = await prepareCall(command);
  const { data, headers } = await call(request);
  process.stdout.write(`${globals.json ? printJson(data) : printText(data, columnsOf(process.stdout))}\n`);
  for (const line of notices(data, headers)) process.stderr.write(`${line}\n`);
}

/** Returns the request of a command, and a function that sends it or another page of it. */
export async function prepareCall({ operation, options, optionValues, globals }: OperationCommand): Promise<{
  readonly request: Record<string, unknown>;
  readonly call: (request: object) => Promise<OperationResult<unknown>>;
}> {
  const inputs = new Inputs();
  const client = await toClient(operation, globals, inputs);
  const request = await toRequest(operation, options, optionValues, inputs);
  return { request, call: (page) => callOperation(client, operation, page) };
}

export async function callOperation(
  client: Carillon,
  { path }: Operation,
  request: object,
): Promise<OperationResult<unknown>> {
  try {
    // The fields were parsed with the SDK's field descriptions, which are generated from the same contract as its
    // types.
    return await client.call(path, request as never);
  } catch (error) {
    // The client does not send integers beyond 2^63.
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

export async function toClient(
  { access }: Pick<Operation, 'access'>,
  globals: Globals,
  inputs: Inputs,
  overrides: Pick<CarillonOptions, 'fetch'> = {},
): Promise<Carillon> {
  const { url, app, token, asUser, asGroup } = globals;
  if (!url) throw new UsageError('The URL of the service is missing. Set --url or CARILLON_URL.');
  if (!URL.canParse(url)) throw new UsageError(`--url must be a URL such as https://push.example.com, not "${url}".`);
  if (!app) throw new UsageError('The app ID is missing. Set --app or CARILLON_APP_ID.');
  if (!token && access !== 'open')
    throw new UsageError('The access token is missing. Set --token or CARILLON_ADMIN_TOKEN.');
  return new Carillon({
    url,
    appId: toHeader('--app', app),
    token: token && toHeader('--token', await inputs.read(token, '--token')),
    userId: toId('--as-user', asUser),
    groupId: toId('--as-group', asGroup),
    // Printed with the other notices, so that the output has them once.
    onIgnoredFields: () => undefined,
    // Operators recognize the session of a command by this name.
    fetch: (address, init) => {
      const headers = { ...(init?.headers as Record<string, string>), 'user-agent': 'carillon-cli' };
      return (overrides.fetch ?? fetch)(address, { ...init, headers });
    },
  });
}

/**
 * Validates the app ID or the token, which are sent in headers. Node.js quotes an invalid header in its error, which
 * would reveal a token.
 */
function toHeader(flag: string, text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new UsageError(`${flag} must consist of printable ASCII characters without spaces.`);
  return text;
}

function toId(flag: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  if (!/^-?\d{1,19}$/.test(text)) throw new UsageError(`${flag} must be an integer, not "${text}".`);
  return BigInt(text);
}

/** Returns notices for the user that are not part of the data. */
export function notices(data: unknown, headers: Headers): string[] {
  const { next } = data as { next?: bigint | null };
  const ignoredFields = headers.get('carillon-ignored-fields');
  const requestHeader = headers.get('carillon-request') ?? '';
  return [
    ...(typeof next === 'bigint' ? [`More results are available. Add --after ${next} to read them.`] : []),
    ...(requestHeader.startsWith('repeated')
      ? ['This request_id was used before: nothing was sent, and the response has the ID of the first task.']
      : []),
    ...(ignoredFields === null ? [] : [`Unknown fields were ignored: ${printable(ignoredFields)}.`]),
    ...(requestHeader.includes('other-body') ? ['The first request with this request_id had different content.'] : []),
  ];
}
