import { thisProcess } from './scheduler.ts';

/** `node:timers/promises` on the virtual clock. */
export const setTimeout = async (ms: number): Promise<void> => {
  await thisProcess().scheduler.sleep(ms);
};
