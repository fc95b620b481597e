import { type Carillon, CarillonError, CarillonUnreachable, type Responses, vendors } from '../../sdk/src/index.ts';
import { type Finding, findingOfExpiry, ok, warning, wrong } from './finding.ts';

type Channels = Responses['/admin/channel/list'];
type Channel = Channels[number];

const nameOf = ({ provider, environment }: Pick<Channel, 'provider' | 'environment'>): string =>
  `${vendors[provider]?.displayName ?? provider}${environment === 0 ? ' (dev)' : ''}`;

/** Checks the vendor channels: credentials, paused channels and daily quotas. */
export async function* checkVendors(client: Carillon): AsyncGenerator<Finding> {
  let channels: Channels;
  try {
    channels = await client.admin.channel.list();
  } catch (error) {
    yield findingOfCall(error);
    return;
  }
  yield ok('token', 'The token is valid and has access to vendor credentials.');
  if (channels.length === 0)
    yield warning(
      'certificates',
      'No vendor credentials are saved, so only connected devices can be reached.',
      'Save the credentials for each vendor: `carillon certificate save --help`, docs/vendors/credentials.md.',
    );
  const healthy: string[] = [];
  for (const channel of channels) {
    const findings = await checkChannel(client, channel);
    yield* findings;
    if (findings.length === 0) healthy.push(nameOf(channel));
  }
  if (healthy.length > 0) yield ok('certificates', `The credentials are accepted by ${healthy.join(', ')}.`);
}

/** Returns the findings for one channel. The list is empty if nothing is wrong. */
async function checkChannel(client: Carillon, channel: Channel): Promise<Finding[]> {
  const check = nameOf(channel);
  const expiry =
    channel.expire === null
      ? undefined
      : findingOfExpiry(check, 'The certificate', new Date(Number(channel.expire)), new Date(), SAVE_AGAIN);
  const credentialsFinding = expiry?.state === 'wrong' ? undefined : await checkCredentials(client, channel, check);
  return [
    ...(expiry && expiry.state !== 'ok' ? [expiry] : []),
    ...(credentialsFinding ? [credentialsFinding] : []),
    ...(channel.open ? [] : [findingOfPausedChannel(check, channel)]),
    ...channel.spent.map(({ class: kind, until }) =>
      warning(
        check,
        `The daily quota${kind === '' ? '' : ` (${kind})`} is used up until ${timeOf(until)}.`,
        'Until then, notifications are sent over the next channel. Ask the vendor for a higher quota, or send fewer notifications of this class.',
      ),
    ),
  ];
}

const findingOfPausedChannel = (check: string, { closed_at, reason }: Channel): Finding =>
  wrong(
    check,
    `The channel has been paused since ${timeOf(closed_at)}: ${reason}.`,
    'Carillon retries every few seconds. If the vendor rejects the credentials, save them again. If the vendor is unavailable, wait.',
  );

const SAVE_AGAIN = 'Save new credentials: `carillon certificate save`, docs/vendors/credentials.md.';

async function checkCredentials(
  client: Carillon,
  { provider, environment }: Channel,
  check: string,
): Promise<Finding | undefined> {
  try {
    const { result, reason } = await client.admin.certificate.check({ provider, environment });
    if (result === 'good') return undefined;
    if (result === 'refused') return wrong(check, `The vendor rejects the credentials: ${reason}.`, SAVE_AGAIN);
    return warning(
      check,
      `The credentials could not be checked with the vendor: ${reason}.`,
      'Check that the service can reach the vendor: firewall, DNS, CARILLON_VENDOR_PROXY_URL.',
    );
  } catch (error) {
    return findingOfCall(error, check);
  }
}

const timeOf = (milliseconds: bigint | null): string =>
  new Date(Number(milliseconds ?? 0)).toISOString().replace(/\.\d+Z$/, 'Z');

function findingOfCall(error: unknown, check = 'token'): Finding {
  if (error instanceof CarillonUnreachable) return wrong(check, error.message, 'Check the log of the service.');
  if (!(error instanceof CarillonError)) throw error;
  if (error.code === 10010)
    return warning(
      check,
      'The token has no access to vendor credentials.',
      'Use an admin token with the scope manage.',
    );
  if (isUnavailable(error.code)) return findingOfUnavailable(`${error.code} ${error.message}`);
  return wrong(check, error.message, TOKEN_CODES.has(error.code) ? TOKEN_ADVICE : 'Check the log of the service.');
}

/** Error codes of a token that has expired, is missing or is invalid. */
const TOKEN_CODES: ReadonlySet<number> = new Set([402, 10003, 10008]);
const TOKEN_ADVICE =
  'Check --token, or CARILLON_ADMIN_TOKEN. Create a new admin token with `node src/bin/init.ts --token-for <app>`.';

/** Returns whether the service could not process the request, which says nothing about the app or the token. */
export const isUnavailable = (code: number): boolean => code >= 50_000;

export const findingOfUnavailable = (text: string): Finding =>
  wrong(
    'service',
    `The service is unavailable: ${text}`,
    'Check that PostgreSQL is running, and the log of the service. The app and the token can be checked only after that. On a server, run `carillon doctor` with the settings of the service.',
  );
