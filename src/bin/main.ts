const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  api: () => import('./api.ts'),
  gateway: () => import('./gateway.ts'),
  worker: () => import('./worker.ts'),
  all: () => import('./all.ts'),
  migrate: () => import('./migrate.ts'),
  init: () => import('./init.ts'),
  'rotate-keys': () => import('./rotate-keys.ts'),
  'after-restore': () => import('./after-restore.ts'),
  healthy: () => import('./health-check.ts'),
};

/** The first argument is the command, as in `docker run carillon api`. The remaining arguments are passed to it. */
const [name = ''] = process.argv.splice(2, 1);
const start = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (start) await start();
else {
  process.stderr.write(`The first argument must be one of ${Object.keys(commands).join(', ')}.\n`);
  process.exitCode = 64;
}
