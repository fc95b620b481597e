/** Groups, tags and aliases only choose devices, and keeping house touches nothing that is open. */

export const findAliases = async (): Promise<never[]> => [];
export const findCallbacks = async (): Promise<never[]> => [];
export const openCallback = (): never => {
  throw new Error('There is none.');
};
export const callbackPath = (): string => '';
export const findMembers = async function* (): AsyncGenerator<never[]> {};
export const findMembersAmong = async (): Promise<never[]> => [];
export const findDevicesWithTags = async (): Promise<never[]> => [];
export const runHousekeeping = async (): Promise<void> => undefined;
