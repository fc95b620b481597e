import assert from 'node:assert/strict';
import type { RoleProcess } from '../scripts/dev/role-process.ts';
import type { Carillon } from '../test/support/carillon.ts';
import { eventually } from '../test/support/eventually.ts';

/** An option of Node.js with which a role reports the delay of its event loop. */
export const LOOP_MONITOR = `--import ${new URL('./report-loop-delay.ts', import.meta.url).href}`;

export interface LoopDelay {
  readonly maxMs: number;
  readonly ownMs: number;
}

/**
 * Returns the longest delay of a role's event loop, and the longest CPU time between two ticks, since the previous
 * call. The role must have been started with `LOOP_MONITOR`.
 */
export async function readLoopDelay({ logLines }: Pick<Carillon, 'logLines'>, role: RoleProcess): Promise<LoopDelay> {
  const lineCount = logLines.length;
  role.signal('SIGUSR2');
  return eventually(() => {
    const line = logLines.slice(lineCount).find((candidate) => candidate.includes('"event":"loop-delay"'));
    assert.ok(line);
    return JSON.parse(line) as LoopDelay;
  });
}
