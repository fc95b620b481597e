import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The site, built into a temporary directory and served on loopback. */
export interface BuiltSite extends AsyncDisposable {
  readonly url: string;
  /** HTML of every page by its path, such as `/vendors/index.html`. */
  readonly pages: ReadonlyMap<string, string>;
  readonly styles: readonly string[];
}

export async function buildSite(): Promise<BuiltSite> {
  const directory = await mkdtemp(join(tmpdir(), 'carillon-site-'));
  const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js');
  await promisify(execFile)(process.execPath, [vitepress, 'build', 'docs', '--outDir', directory], { cwd: root });
  const read = (file: string) => readFileSync(join(directory, file), 'utf8');

  // With this policy, browsers report requests to other hosts. The policy allows inline scripts and functions created
  // from strings, because VitePress uses both.
  const policy = "default-src 'self' data: 'unsafe-inline' 'unsafe-eval'";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    readFile(join(directory, path)).then(
      (content) => {
        const type = types[extname(path)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages: new Map(globSync('**/*.html', { cwd: directory }).map((file) => [`/${file}`, read(file)])),
    styles: globSync('**/*.css', { cwd: directory }).map(read),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await rm(directory, { recursive: true });
    },
  };
}
