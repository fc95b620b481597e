/** A badge is an int32 on a phone. */
const BADGE_MAX = 2 ** 31 - 1;

/** Where a notification's badge leads from the present one: `+2` adds, `2` sets. What is neither changes nothing. */
export function applyBadge(current: number, badge: string): number {
  if (!/^\+?\d+$/.test(badge)) return current;
  const next = badge.startsWith('+') ? current + Number(badge.slice(1)) : Number(badge);
  return Math.min(next, BADGE_MAX);
}
