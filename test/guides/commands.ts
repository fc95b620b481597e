import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One fenced block of shell commands in a document. */
export interface CommandBlock {
  readonly text: string;
  /** Guide in this folder that runs the block. */
  readonly guide?: string;
  /** Reason why no guide runs the block. */
  readonly skipReason?: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Matches a block, or a marker, which applies to all blocks up to the next marker. */
const parts = /^<!-- (?:run: (?<guide>[\w-]+)|not run: (?<notRun>.+?)) -->$|^```(?:sh|bash)\n(?<text>[\s\S]*?)^```$/gm;

/** Returns the blocks of shell commands in a page, each with the values of its marker. */
export function commandsOf(page: string): CommandBlock[] {
  const blocks: CommandBlock[] = [];
  let mark: Omit<CommandBlock, 'text'> = {};
  for (const { groups } of readFileSync(`${root}/${page}`, 'utf8').matchAll(parts)) {
    const { guide, notRun, text } = groups as Record<'guide' | 'notRun' | 'text', string | undefined>;
    if (text !== undefined) blocks.push({ text, ...mark });
    else mark = { ...(guide !== undefined && { guide }), ...(notRun !== undefined && { skipReason: notRun }) };
  }
  return blocks;
}

/** Returns the blocks of a page that a guide runs, in order. Fails if there are none. */
export function commandsFor(guide: string, page: string): string[] {
  const texts = commandsOf(page).flatMap((block) => (block.guide === guide ? [block.text] : []));
  assert.ok(texts.length > 0, `${page} has no block that is marked as run by ${guide}`);
  return texts;
}
