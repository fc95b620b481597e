import type { VendorName } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { vendorRegistry } from './registry.ts';
import type { TokenEndpoint, TokenFormat } from './vendor.ts';

/** Returns the stored form of a vendor token. Throws if the string cannot be a token of the vendor. */
export function checkToken(name: VendorName, token: string, settings: EndpointSettings): string {
  const { tokenFormat, tokenEndpoint } = vendorRegistry[name];
  if (tokenEndpoint) return checkEndpoint(tokenEndpoint, tokenFormat.lengthMax, token, settings);
  if (matchesFormat(token, tokenFormat)) return token;
  const { lengthMax, symbols } = tokenFormat;
  throw new Problem(
    'bad-parameter',
    `token must have 1 to ${lengthMax} characters: ASCII letters, digits and ${symbols}. Send the token unchanged, as the vendor's SDK returns it.`,
  );
}

function checkEndpoint({ read }: TokenEndpoint, lengthMax: number, token: string, settings: EndpointSettings): string {
  if (token.length > lengthMax)
    throw new Problem(
      'bad-parameter',
      `token must have at most ${lengthMax} characters. Send JSON.stringify(subscription) unchanged.`,
    );
  const result = read(token, extraHostsOf(settings));
  if ('token' in result) return result.token;
  throw new Problem(
    'bad-parameter',
    `token must be the JSON of a push subscription: ${result.reason}. Send JSON.stringify(subscription) unchanged.`,
  );
}

export interface EndpointSettings {
  readonly CARILLON_WEBPUSH_HOSTS: string;
}

/** Returns the hosts of push services that the operator allows in addition. */
export const extraHostsOf = ({ CARILLON_WEBPUSH_HOSTS }: EndpointSettings): string[] =>
  CARILLON_WEBPUSH_HOSTS.toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== '');

function matchesFormat(token: string, { lengthMax, symbols }: TokenFormat): boolean {
  if (token.length === 0 || token.length > lengthMax) return false;
  for (const character of token) if (!/[0-9A-Za-z]/.test(character) && !symbols.includes(character)) return false;
  return true;
}
