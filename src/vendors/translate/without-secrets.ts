import type { Outcome } from '#src/domain/outcome.ts';
import type { VendorAccount } from '../vendor.ts';

/** Parts of a secret with at least this many characters are removed. Shorter parts occur in ordinary words. */
const SECRET_PART_CHARACTERS = 8;
/** A certificate or key file also contains words, such as `private_key_id`, so only longer parts of it are removed. */
const FILE_PART_CHARACTERS = 16;

type Secrets = Pick<VendorAccount, 'appSecret' | 'certificate'>;

/**
 * Removes secrets that a vendor quotes in the reasons of its outcomes. Reasons are logged, stored and returned to
 * callers who cannot read the secrets. `tokens` are the vendor tokens of the outcomes, in order.
 */
export function withoutSecrets<T extends Outcome>(
  outcomes: readonly T[],
  secrets: Secrets,
  tokens: readonly string[] = [],
): T[] {
  // The outcomes of one request usually have the same reason.
  const cleanReasons = new Map<string, string>();
  return outcomes.map((outcome, i) => {
    if (!('reason' in outcome)) return outcome;
    let reason = cleanReasons.get(outcome.reason);
    if (reason === undefined) {
      reason = cleanReason(outcome.reason, secrets);
      cleanReasons.set(outcome.reason, reason);
    }
    const token = tokens[i];
    if (token !== undefined) reason = withoutParts(reason, [token], SECRET_PART_CHARACTERS);
    return reason === outcome.reason ? outcome : { ...outcome, reason };
  });
}

const REDACTED = '[redacted]';

function cleanReason(reason: string, { appSecret, certificate }: Secrets): string {
  if (reason.length < SECRET_PART_CHARACTERS) return reason;
  const bytes = Buffer.from(appSecret);
  const forms = [appSecret, bytes.toString('hex'), bytes.toString('base64'), encodeURIComponent(appSecret)];
  return withoutParts(withoutParts(reason, forms, SECRET_PART_CHARACTERS), [certificate], FILE_PART_CHARACTERS);
}

/** Replaces every run of the text whose parts of this length occur in a secret. */
function withoutParts(text: string, secrets: readonly string[], partCharacters: number): string {
  const isQuoted = (from: number): boolean => {
    const part = text.slice(from, from + partCharacters);
    return part.length === partCharacters && secrets.some((secret) => secret.includes(part));
  };
  let result = '';
  let keptUntil = 0;
  for (let i = 0; i + partCharacters <= text.length; i++) {
    if (!isQuoted(i)) continue;
    let end = i + partCharacters;
    while (isQuoted(end - partCharacters + 1)) end++;
    result += `${text.slice(keptUntil, i)}${REDACTED}`;
    keptUntil = end;
    i = end - 1;
  }
  return result + text.slice(keptUntil);
}
