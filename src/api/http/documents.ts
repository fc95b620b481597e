import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { openApiDocument } from '#src/contract/openapi.ts';
import type { Page } from '#src/contract/pages/html.ts';
import { referencePage } from '#src/contract/pages/reference-page.ts';
import { startPage } from '#src/contract/pages/start-page.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { ApiContext } from '../context.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Adds `GET /`, `GET /reference` and `GET /openapi.json`. The pages load nothing from other servers. */
export function addDocuments(server: FastifyInstance, { storage }: Pick<ApiContext, 'storage'>): void {
  const document = stringifyJson(openApiDocument(version));
  const reference = referencePage(version);
  server.get('/', async (_request, reply) => sendPage(reply, startPage(version, storage.home.isAvailable)));
  server.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document));
  server.get('/reference', async (_request, reply) => sendPage(reply, reference));
}

const sendPage = (reply: FastifyReply, { html, policy }: Page): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .send(html);
