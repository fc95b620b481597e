/**
 * These functions are not simulated: tags and aliases only select devices, housekeeping does not change open work,
 * recalls read slices but never write them, no user is erased, and no simulated vendor has a daily quota.
 */

export const findAliases = async (): Promise<never[]> => [];
export const findCallbacks = async (): Promise<never[]> => [];
export const openCallback = (): never => {
  throw new Error('Callbacks are not simulated.');
};
export const callbackUrl = (): undefined => undefined;
export const findDevicesWithTags = async (): Promise<never[]> => [];
export const saveQuotaUsage = async (): Promise<void> => undefined;
export const chainAudit = async (): Promise<void> => undefined;
export const runHousekeeping = async (): Promise<void> => undefined;
export const eraseUsers = async (): Promise<void> => undefined;
export class Recalls {
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}
