import { parseArgs } from 'node:util';
import { openStack, type Stack, startStack } from './stack/stack.ts';

const usage = `usage: npm run stack -- COMMAND

  up [--directory D] [--nats N] [--json]   start PostgreSQL and N NATS nodes (1), print their settings
  down --directory D                       stop them and delete their files
  kill PART --directory D                  SIGKILL to every process of postgres, nats-1, nats-2, … or nats (all nodes)
  start PART --directory D                 start a killed part, on the same port with the same data
  stop PART --directory D                  freeze: SIGSTOP to every process of the part
  cont PART --directory D                  thaw: SIGCONT
`;

/** Commands for a running stack. */
const commands: Record<string, (stack: Stack, part: string) => Promise<void>> = {
  kill: (stack, part) => stack.kill(part),
  start: (stack, part) => stack.start(part),
  stop: (stack, part) => stack.freeze(part),
  cont: (stack, part) => stack.thaw(part),
};

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      directory: { type: 'string' },
      json: { type: 'boolean', default: false },
      nats: { type: 'string', default: '1' },
    },
  });
  const [command = '', part, ...rest] = positionals;
  const { directory } = values;

  if (command === 'up' && part === undefined) {
    const location = directory === undefined ? {} : { directory };
    const stack = await startStack({ ...location, natsNodes: Number(values.nats), outlivesProcess: true });
    console.log(values.json ? JSON.stringify(settingsOf(stack)) : shellLines(settingsOf(stack)));
    return 0;
  }
  if (command === 'down' && part === undefined && directory !== undefined) {
    await (await openStack(directory)).stop();
    return 0;
  }
  const action = commands[command];
  if (action && part !== undefined && rest.length === 0 && directory !== undefined) {
    await action(await openStack(directory), part);
    return 0;
  }
  console.error(usage);
  return 2;
}

function settingsOf(stack: Stack): Record<string, string> {
  return {
    CARILLON_DATABASE_URL: stack.databaseUrl('postgres'),
    CARILLON_NATS_URLS: stack.natsUrls.join(','),
    STACK_DIRECTORY: stack.directory,
  };
}

function shellLines(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('\n');
}
