import { everySetting } from '#src/bin/settings.ts';
import { type LoadedSettings, loadSettings, SettingsError, unknownSettings } from '#src/foundation/settings.ts';
import { type Finding, ok, warning, wrong } from '../finding.ts';
import { checkDatabases } from './databases.ts';
import { checkFileLimit } from './file-limit.ts';
import { checkKeys } from './keys.ts';
import { checkNats } from './nats.ts';
import { checkTlsFiles } from './tls-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Groups = typeof everySetting;

/** Settings of this command, which no role knows. */
const ours = ['CARILLON_URL', 'CARILLON_APP_ID', 'CARILLON_ADMIN_TOKEN'];

/** Looks at what the roles on this machine depend on, with their settings. */
export async function* checkServer(environment: Environment): AsyncGenerator<Finding> {
  const faults: string[] = [];
  // Each group by itself: what is wrong with one does not keep us from looking at the others.
  const read = <Name extends keyof Groups>(name: Name): LoadedSettings<Groups>[Name] | undefined => {
    try {
      return loadSettings({ one: everySetting[name] }, environment).one as LoadedSettings<Groups>[Name];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const [truth, motion, seal, gateway] = [read('truth'), read('motion'), read('seal'), read('gateway')];
  for (const name of ['process', 'api', 'worker', 'channels'] as const) read(name);
  yield* findingsOfSettings(faults, environment);
  if (truth) {
    const reached = yield* checkDatabases(truth);
    if (seal && reached) yield* checkKeys(truth, seal.CARILLON_MASTER_KEYS);
  }
  if (motion) yield* checkNats(motion);
  if (gateway) {
    yield* checkTlsFiles(gateway);
    yield* checkFileLimit(gateway);
  }
}

function* findingsOfSettings(faults: readonly string[], environment: Environment): Generator<Finding> {
  for (const fault of faults)
    yield wrong('settings', fault.replace(/\.?$/, '.'), 'docs/settings.md explains every setting.');
  const unknown = unknownSettings(everySetting, environment, 'CARILLON_').filter((name) => !ours.includes(name));
  if (unknown.length > 0)
    yield warning(
      'settings',
      `Nobody reads ${unknown.join(', ')}.`,
      'Look for a typing error; docs/settings.md has every name.',
    );
  if (faults.length === 0) yield ok('settings', 'They can be read.');
}
