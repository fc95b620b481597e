/** A badge is an int32 on a phone. */
const BADGE_MAX = 2 ** 31 - 1;

/** Where a notification's badge leads from the present one: `+2` adds, `2` sets. What is neither changes nothing. */
export function moveBadge(present: number, badge: string): number {
  if (!/^\+?\d+$/.test(badge)) return present;
  const moved = badge.startsWith('+') ? present + Number(badge.slice(1)) : Number(badge);
  return Math.min(moved, BADGE_MAX);
}
