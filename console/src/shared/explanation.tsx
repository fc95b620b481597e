import { Code } from '@mantine/core';
import { partsOf } from './explanation-parts.ts';
import { useFormat } from './format.ts';

/** A sentence of the API, with its names as code and its times in the language and the time zone of the browser. */
export function Explanation({ text }: { readonly text: string }) {
  const { exactTime } = useFormat();
  return partsOf(text).map(({ kind, text: part }, i) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no ID, and keep their order
    if (kind === 'code') return <Code key={i}>{part}</Code>;
    return kind === 'time' ? exactTime(Date.parse(part)) : part;
  });
}
