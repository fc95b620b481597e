import { parseArgs } from 'node:util';
import { npmExit } from '../scripts/stack/npm-exit.ts';
import { accept } from './accept.ts';
import { attack } from './attack.ts';
import { connections } from './connections.ts';
import { consoles } from './consoles.ts';
import { deviceLookups } from './device-lookups.ts';
import { deviceNotifications } from './device-notifications.ts';
import { expand } from './expand.ts';
import { fairness } from './fairness.ts';
import { latency } from './latency.ts';
import { lists } from './lists.ts';
import { native } from './native.ts';
import { pages } from './pages.ts';
import { type Bench, printResults } from './result.ts';
import { single } from './single.ts';
import { statistics } from './statistics.ts';
import { outage } from './vendor-outage.ts';
import { vendors } from './vendors.ts';
import { printWork } from './work/work.ts';

// `npm run bench -- <name> [--json]` measures Carillon and a baseline in one run. It also prints the work per push
// or device in figures that do not depend on the machine, such as statements and WAL bytes.

const benches: Readonly<Record<string, Bench>> = {
  accept,
  attack,
  connections,
  consoles,
  expand,
  fairness,
  latency,
  'device-lookups': deviceLookups,
  'device-notifications': deviceNotifications,
  lists,
  native,
  outage,
  pages,
  single,
  statistics,
  vendors,
};

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, size: { type: 'string' } },
  allowPositionals: true,
});
void npmExit().then(() => process.exit(1)); // the processes that it started end with this one
const [name = ''] = positionals;
const bench = benches[name];
if (bench) {
  const { results, work } = await bench({
    size: values.size === undefined ? undefined : Number(values.size),
    say: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(printResults(name, results, values.json));
  if (work.length > 0) process.stdout.write(printWork(name, work, values.json));
  if (results.some(({ reached }) => !reached)) process.exitCode = 1;
} else {
  process.stderr.write(`Usage: npm run bench -- ${Object.keys(benches).join(' | ')} [--size n] [--json]\n`);
  process.exitCode = 2;
}
