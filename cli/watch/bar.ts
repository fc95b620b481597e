import { paint, type Terminal } from '../terminal.ts';
import type { Counts } from './progress.ts';

const signs = { unicode: { received: '█', sent: '▒', open: '░' }, ascii: { received: '#', sent: '=', open: '.' } };

export const signsOf = ({ unicode }: Pick<Terminal, 'unicode'>) => (unicode ? signs.unicode : signs.ascii);

/** Draws a bar of the given width with three parts: received, sent without a receipt, and not sent. */
export function drawBar({ target, sent, received }: Counts, width: number, terminal: Terminal): string {
  const total = max(target, sent, received, 1n);
  const cellsFor = (count: bigint): number => {
    const cells = Number((count * BigInt(width)) / total);
    // Cells are rounded down, so that a bar is full only if nothing is missing. A nonzero count has at least one cell.
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
