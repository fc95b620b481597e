/**
 * Returns whether a token belongs to mainland China: `<hex>`, `CN_<hex>` or `OPPO_CN_<hex>`. Other tokens are valid
 * only for OPPO's overseas API and must not be sent to the mainland API.
 */
export function isMainlandToken(token: string): boolean {
  const parts = token.split('_');
  if (parts.length === 1) return true;
  return parts.length <= 3 && parts.at(-2) === 'CN';
}
