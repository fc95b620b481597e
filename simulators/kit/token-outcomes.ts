/** `fail` is one that the vendor could not send to, without saying why; only some vendors have such an answer. */
export type TokenOutcome = 'live' | 'dead' | 'busy' | 'down' | 'slow' | 'half' | 'fail';

const OUTCOME_PREFIX = /^(live|dead|busy|down|slow|half|fail)-/;
const UNASSIGNED_TOKEN = /^(?:nobody|0{64})$/;

/**
 * The token's own name decides its fate, so a test needs no preparation. Every other token lives, except the two that
 * are certainly nobody's: a sender may use them to try its credentials.
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

/** A good token of another app, package or region. Vendors that take many at once say the same of it as of a dead one. */
function isForeign(token: string): boolean {
  return token.startsWith('foreign-');
}

/** What becomes of one request to several tokens. Where one fate befalls the whole request, nobody is reached. */
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
