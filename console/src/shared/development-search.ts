/** The part of an address that keeps whether the development part is open. */
export const toDevelopmentSearch = ({ development }: Record<string, unknown>): { development?: 'open' | 'folded' } =>
  development === 'open' || development === 'folded' ? { development } : {};
