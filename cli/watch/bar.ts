import { paint, type Terminal } from '../terminal.ts';
import type { Counts } from './progress.ts';

const signs = { unicode: { received: '█', sent: '▒', open: '░' }, ascii: { received: '#', sent: '=', open: '.' } };

export const signsOf = ({ unicode }: Pick<Terminal, 'unicode'>) => (unicode ? signs.unicode : signs.ascii);

/** A bar of so many columns: what was received, what was sent and is not known to be received, and what is open. */
export function drawBar({ target, sent, received }: Counts, width: number, terminal: Terminal): string {
  const total = max(target, sent, received, 1n);
  const cellsFor = (count: bigint): number => {
    const cells = Number((count * BigInt(width)) / total);
    // One of a million is seen too, and a bar is full only when nothing is missing.
    return count > 0n ? Math.max(1, cells) : 0;
  };
  const full = cellsFor(received);
  const reached = Math.max(full, cellsFor(max(sent, received)));
  const { received: block, sent: half, open } = signsOf(terminal);
  return [
    paint(terminal, 'green', block.repeat(full)),
    paint(terminal, 'yellow', half.repeat(reached - full)),
    paint(terminal, 'dim', open.repeat(width - reached)),
  ].join('');
}

const max = (...counts: readonly bigint[]): bigint => counts.reduce((most, count) => (count > most ? count : most));
