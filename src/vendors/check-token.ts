import type { VendorName } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { vendorRegistry } from './registry.ts';
import type { TokenFormat } from './vendor.ts';

/** Checks that a string can be a token of the vendor. Throws if not. */
export function checkToken(name: VendorName, token: string): void {
  const { tokenFormat } = vendorRegistry[name];
  if (matchesFormat(token, tokenFormat)) return;
  const { lengthMax, symbols } = tokenFormat;
  throw new Problem(
    'bad-parameter',
    `token must have 1 to ${lengthMax} characters: ASCII letters, digits and ${symbols}. Send the token unchanged, as the vendor's SDK returns it.`,
  );
}

function matchesFormat(token: string, { lengthMax, symbols }: TokenFormat): boolean {
  if (token.length === 0 || token.length > lengthMax) return false;
  for (const character of token) if (!/[0-9A-Za-z]/.test(character) && !symbols.includes(character)) return false;
  return true;
}
