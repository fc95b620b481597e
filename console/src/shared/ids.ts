/** Returns whether a value is an ID. IDs stay strings in the address, because they can exceed the exact numbers of JavaScript. */
export const isId = (value: unknown): value is string => typeof value === 'string' && /^\d{1,19}$/.test(value);
