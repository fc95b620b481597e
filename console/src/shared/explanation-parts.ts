export interface ExplanationPart {
  readonly kind: 'text' | 'code' | 'time';
  readonly text: string;
}

const special = /`([^`]+)`|(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)/g;

/** Splits a sentence of the API into text, names between backticks, and times in UTC. */
export function partsOf(sentence: string): ExplanationPart[] {
  const parts: ExplanationPart[] = [];
  let end = 0;
  for (const match of sentence.matchAll(special)) {
    const [whole, code, time] = match;
    if (match.index > end) parts.push({ kind: 'text', text: sentence.slice(end, match.index) });
    parts.push(code === undefined ? { kind: 'time', text: time ?? '' } : { kind: 'code', text: code });
    end = match.index + whole.length;
  }
  if (end < sentence.length) parts.push({ kind: 'text', text: sentence.slice(end) });
  return parts;
}
