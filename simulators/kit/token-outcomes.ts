/**
 * Outcomes that a token name can select. `fail` means that the vendor could not send the message and gives no reason;
 * only some vendors report that outcome.
 */
export type TokenOutcome = 'live' | 'dead' | 'busy' | 'down' | 'slow' | 'half' | 'fail';

const OUTCOME_PREFIX = /^(live|dead|busy|down|slow|half|fail)-/;
const UNASSIGNED_TOKEN = /^(?:nobody|0{64})$/;

/**
 * Returns the outcome of a token, which its name determines, so that tests need no setup. Tokens without a known prefix
 * are live. Two reserved tokens that no device has are dead: senders can use them to check credentials.
 */
export function outcomeOfToken(token: string): TokenOutcome {
  if (isUnassignedToken(token)) return 'dead';
  return (OUTCOME_PREFIX.exec(token)?.[1] ?? 'live') as TokenOutcome;
}

export function hasOutcomePrefix(token: string): boolean {
  return OUTCOME_PREFIX.test(token);
}

export function isUnassignedToken(token: string): boolean {
  return UNASSIGNED_TOKEN.test(token);
}

/**
 * Returns whether the token is a valid token of another app, package or region. Vendors with batch requests report it
 * like a dead token.
 */
function isForeign(token: string): boolean {
  return token.startsWith('foreign-');
}

/** Returns whether a token makes a vendor reject every request that contains it. Only some vendors do this. */
export function isMalformed(token: string): boolean {
  return token.startsWith('malformed-');
}

/** Outcome of one request to several tokens. If `wholeRequest` is set, no token is reached. */
export type BatchOutcome = {
  readonly wholeRequest: 'busy' | 'down' | undefined;
  readonly isLate: boolean;
  readonly isCut: boolean;
  readonly dead: readonly string[];
  readonly failing: readonly string[];
  readonly reached: readonly string[];
};

export function batchOutcomeOf(tokens: readonly string[]): BatchOutcome {
  const outcomes = tokens.map((token) => ({ token, outcome: isForeign(token) ? 'dead' : outcomeOfToken(token) }));
  const has = (outcome: TokenOutcome) => outcomes.some((each) => each.outcome === outcome);
  const tokensWith = (...names: TokenOutcome[]) =>
    outcomes.filter(({ outcome }) => names.includes(outcome)).map(({ token }) => token);
  return {
    wholeRequest: has('busy') ? 'busy' : has('down') ? 'down' : undefined,
    isLate: has('slow'),
    isCut: has('half'),
    dead: tokensWith('dead'),
    failing: tokensWith('fail'),
    reached: tokensWith('live', 'slow', 'half'),
  };
}
