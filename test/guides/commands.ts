import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One fenced block of shell commands in a document. */
export interface CommandBlock {
  readonly text: string;
  /** The guide in this folder that runs it. */
  readonly guide?: string;
  /** Or why nothing does. */
  readonly skipReason?: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A mark, which holds for all blocks down to the next one; or a block. */
const parts = /^<!-- (?:run: (?<guide>[\w-]+)|not run: (?<notRun>.+?)) -->$|^```(?:sh|bash)\n(?<text>[\s\S]*?)^```$/gm;

/** The blocks of shell commands in a page, each with what its mark says of it. */
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

/** What a guide has to run of a page, in order. A page of which it runs nothing is a mistake. */
export function commandsFor(guide: string, page: string): string[] {
  const texts = commandsOf(page).flatMap((block) => (block.guide === guide ? [block.text] : []));
  assert.ok(texts.length > 0, `${page} has no block that says it is run by ${guide}`);
  return texts;
}
