import { UsageError } from '../failure.ts';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Converts a time to Unix seconds: `+90m`, `1794700800`, or a date with its time zone. */
export function toUnixSeconds(flag: string, text: string | undefined, now: Date): bigint | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit] = /^\+(\d{1,7})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined)
    return BigInt(Math.floor(now.getTime() / 1_000) + Number(amount) * (unitSeconds[unit ?? ''] ?? 1));
  if (/^\d{9,11}$/.test(text)) return BigInt(text);
  // Without a zone, the time would depend on the machine.
  const time = /T.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(
      `${flag} must be a time such as +90m, 2026-12-24T18:00:00+01:00 or Unix seconds, not "${text}".`,
    );
  return BigInt(Math.floor(time / 1_000));
}
