/** `fail` is one that the vendor could not send to, without saying why; only some vendors have such an answer. */
export type Fate = 'live' | 'dead' | 'busy' | 'down' | 'slow' | 'half' | 'fail';

const FATE_NAME = /^(live|dead|busy|down|slow|half|fail)-/;
const NOBODY = /^(?:nobody|0{64})$/;

/**
 * The token's own name decides its fate, so a test needs no preparation. Every other token lives, except the two that
 * are certainly nobody's: a sender may use them to try its credentials.
 */
export function fateOf(token: string): Fate {
  if (isNobody(token)) return 'dead';
  return (FATE_NAME.exec(token)?.[1] ?? 'live') as Fate;
}

export function isFateName(token: string): boolean {
  return FATE_NAME.test(token);
}

export function isNobody(token: string): boolean {
  return NOBODY.test(token);
}

/** A good token of another app, package or region. Vendors that take many at once say the same of it as of a dead one. */
function isForeign(token: string): boolean {
  return token.startsWith('foreign-');
}

/** What becomes of one request to several tokens. Where one fate befalls the whole request, nobody is reached. */
export type BatchFate = {
  readonly whole: 'busy' | 'down' | undefined;
  readonly isLate: boolean;
  readonly isCut: boolean;
  readonly dead: readonly string[];
  readonly failing: readonly string[];
  readonly reached: readonly string[];
};

export function batchFateOf(tokens: readonly string[]): BatchFate {
  const fates = tokens.map((token) => ({ token, fate: isForeign(token) ? 'dead' : fateOf(token) }));
  const has = (fate: Fate) => fates.some((each) => each.fate === fate);
  const named = (...names: Fate[]) => fates.filter(({ fate }) => names.includes(fate)).map(({ token }) => token);
  return {
    whole: has('busy') ? 'busy' : has('down') ? 'down' : undefined,
    isLate: has('slow'),
    isCut: has('half'),
    dead: named('dead'),
    failing: named('fail'),
    reached: named('live', 'slow', 'half'),
  };
}
