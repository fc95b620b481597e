/**
 * Whether a token is one of mainland China: `<hex>`, `CN_<hex>` or `OPPO_CN_<hex>`. The others are known at OPPO's overseas
 * address only, and must not be shown to the mainland's.
 */
export function isMainlandToken(token: string): boolean {
  const parts = token.split('_');
  if (parts.length === 1) return true;
  return parts.length <= 3 && parts.at(-2) === 'CN';
}
