import { parseArgs } from 'node:util';
import { buildConsole } from './console/build-console.ts';

// `npm run console` builds the console into console/dist, from where the API serves it under /console.

const HELP = `Usage: npm run console [-- OPTIONS]

Builds the console into console/dist. The API serves it under /console.

  --if-changed  build only if a source file is newer than the build
  --help        print this text
`;

const { values } = parseArgs({
  options: { 'if-changed': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help) process.stdout.write(HELP);
else await buildConsole({ ifChanged: values['if-changed'], log: (line) => console.log(line) });
