/** A simulation stores no secrets. */
export const open = (): string => '';
