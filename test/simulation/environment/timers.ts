import { currentProcess } from './scheduler.ts';

/** `node:timers/promises` on the virtual clock. */
export const setTimeout = async (ms: number): Promise<void> => {
  await currentProcess().scheduler.sleep(ms);
};
