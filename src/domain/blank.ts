/**
 * Returns whether a value counts as not set: absent, null, "", only whitespace, [], {}. The value itself is not
 * trimmed.
 */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
