import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '#src/contract/openapi.ts';
import { referencePage } from '#src/contract/reference-page.ts';
import { stringifyJson } from '#src/foundation/json.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Adds `GET /openapi.json` and `GET /reference`, a page that loads nothing from other servers. */
export function addDocuments(server: FastifyInstance): void {
  const document = stringifyJson(openApiDocument(version));
  const page = referencePage(version);
  server.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document));
  server.get('/reference', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page),
  );
}
