/** On phones, a badge is an int32. */
const BADGE_MAX = 2 ** 31 - 1;

/** Returns the badge after a notification: `+2` adds, `2` sets. Any other string changes nothing. */
export function applyBadge(current: number, badge: string): number {
  if (!/^\+?\d+$/.test(badge)) return current;
  const next = badge.startsWith('+') ? current + Number(badge.slice(1)) : Number(badge);
  return Math.min(next, BADGE_MAX);
}
