import { readFileSync } from 'node:fs';
import { openApiDocument } from '#src/contract/openapi.ts';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';

/**
 * Returns `docs/openapi.json`: the document of `GET /openapi.json`, with line breaks for readability and for git diffs.
 */
export function openApiPage(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  const { version } = parseJson(readFileSync(manifest, 'utf8')) as { version: string };
  return `${stringifyJson(openApiDocument(version), 2)}\n`;
}
