/** The result of one check. */
export interface Finding {
  /** Name of the check, in one or two words. */
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'wrong';
  readonly text: string;
  /** The next step. Absent if nothing is wrong. */
  readonly advice?: string;
}

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text });
export const warning = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'warning',
  text,
  advice,
});
export const wrong = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'wrong',
  text,
  advice,
});

export const CLOCK_MS_WARNING = 2_000;
export const CLOCK_MS_WRONG = 60_000;
export const CLOCK_ADVICE =
  'Synchronize both clocks with a time service (chrony, systemd-timesyncd). `timedatectl` shows whether one is active.';

/** Compares a clock with the clock of this machine. `errorMs` is the maximum error of the comparison. */
export function findingOfClock(check: string, clockName: string, offMs: number, errorMs: number): Finding {
  const off = Math.max(0, Math.abs(offMs) - errorMs);
  if (off < CLOCK_MS_WARNING) return ok(check, `${clockName} agrees with the clock of this machine.`);
  const text = `${clockName} is ${(off / 1_000).toFixed(0)} s ${offMs > 0 ? 'ahead of' : 'behind'} this machine.`;
  return off < CLOCK_MS_WRONG ? warning(check, text, CLOCK_ADVICE) : wrong(check, text, CLOCK_ADVICE);
}

const DAY_MS = 86_400_000;
const EXPIRY_DAYS_WARNING = 30;

/**
 * Compares an expiry date with the current time. It warns 30 days early, because an expired certificate stops all
 * traffic.
 */
export function findingOfExpiry(check: string, subject: string, expiresAt: Date, now: Date, advice: string): Finding {
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
  const day = expiresAt.toISOString().slice(0, 10);
  if (expiresAt <= now) return wrong(check, `${subject} expired on ${day}.`, advice);
  if (days < EXPIRY_DAYS_WARNING) return warning(check, `${subject} expires on ${day}, in ${days} days.`, advice);
  return ok(check, `${subject} is valid until ${day}.`);
}

/** Returns the reason for an error. Node.js often reports it only in the cause or in the error code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return reasonOf(cause);
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  // OpenSSL's message also contains the name of a source file. Only the reason is useful to an operator.
  const reason = /:SSL routines:[^:]*:([^:]+):/.exec(error.message)?.[1];
  if (reason !== undefined) return reason;
  const { code } = error as { code?: unknown };
  return error.message.replace(/\.$/, '') || String(code ?? error.name);
}

export const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
};
