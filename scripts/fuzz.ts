import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { childArguments } from './stack/child-arguments.ts';
import { npmExit } from './stack/npm-exit.ts';

// `npm run fuzz`: schemathesis generates requests from the OpenAPI document and sends them to a running server. No
// response may be a server error or violate its schema.

const SCHEMATHESIS = 'schemathesis==4.32.5';
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
  'missing_required_header',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' }, seed: { type: 'string' } } });

void npmExit().then(() => process.exit(1)); // the processes that it started end with this one
const fuzzer = await installFuzzer();
const dev = spawn(process.execPath, [...childArguments, 'scripts/dev.ts', '--json', '--temporary'], {
  cwd: root,
  stdio: 'pipe',
});
const serverErrors: string[] = [];
createInterface({ input: dev.stderr }).on('line', (line) => {
  if (line.includes('"level":"error"')) serverErrors.push(line);
});
const [line] = (await once(createInterface({ input: dev.stdout }), 'line')) as [string];
const demo = JSON.parse(line) as { base_url: string; app_id: string; admin_token: string };

const cache = join(root, 'node_modules/.cache');
const document = join(cache, 'openapi.json');
await writeFile(document, withoutAlways200(await (await fetch(`${demo.base_url}/openapi.json`)).text()));

const run = spawn(
  fuzzer,
  [
    'run',
    document,
    ...['--url', demo.base_url],
    ...['--header', `app_id: ${demo.app_id}`, '--header', `access-token: ${demo.admin_token}`],
    ...['--checks', CHECKS.join(',')],
    ...['--phases', 'examples,coverage,fuzzing'],
    ...['--max-time', values.seconds],
    ...['--warnings', 'off'],
    ...(values.seed === undefined ? [] : ['--seed', values.seed]),
  ],
  { cwd: cache, stdio: ['ignore', 'inherit', 'inherit'] },
);
const [code] = (await once(run, 'exit')) as [number | null];
dev.kill('SIGTERM');
await once(dev, 'exit');
for (const error of serverErrors.slice(0, 10)) console.error(error);
console.log(`the server logged ${serverErrors.length} errors`);
process.exitCode = code === 0 && serverErrors.length === 0 ? 0 : 1;

/**
 * Removes `always200` from the document. If the fuzzer enabled it for its app, every error response would violate the
 * schema.
 */
function withoutAlways200(text: string): string {
  return JSON.stringify(JSON.parse(text, (_key, value) => (value === 'always200' ? 'status' : value)));
}

/** Installs the fuzzer in a virtual environment below node_modules, so that the system is not changed. */
async function installFuzzer(): Promise<string> {
  const environment = join(root, 'node_modules/.cache/schemathesis');
  const program = join(environment, 'bin/schemathesis');
  if (existsSync(program)) return program;
  console.log(`installing ${SCHEMATHESIS} …`);
  await promisify(execFile)('python3', ['-m', 'venv', environment]);
  await promisify(execFile)(join(environment, 'bin/pip'), ['install', '--quiet', SCHEMATHESIS]);
  return program;
}
