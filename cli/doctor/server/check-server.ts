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

/** Settings of the command line, which the roles do not use. */
const cliSettings = [
  'CARILLON_URL',
  'CARILLON_APP_ID',
  'CARILLON_ADMIN_TOKEN',
  'CARILLON_DEV_URL',
  'CARILLON_USER_TOKEN',
];

/** Checks the dependencies of the roles on this machine, with their settings. */
export async function* checkServer(environment: Environment): AsyncGenerator<Finding> {
  const faults: string[] = [];
  // Each group is loaded separately, so that an error in one group does not prevent the checks of the others.
  const loadGroup = <Name extends keyof Groups>(name: Name): LoadedSettings<Groups>[Name] | undefined => {
    try {
      return loadSettings({ one: everySetting[name] }, environment).one as LoadedSettings<Groups>[Name];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const [storage, signals, seal, gateway] = [
    loadGroup('storage'),
    loadGroup('signals'),
    loadGroup('seal'),
    loadGroup('gateway'),
  ];
  for (const name of ['process', 'api', 'worker', 'vendors'] as const) loadGroup(name);
  yield* findingsOfSettings(faults, environment);
  if (storage) {
    const isHomeUsable = yield* checkDatabases(storage);
    if (seal && isHomeUsable) yield* checkKeys(storage, seal);
  }
  if (signals) yield* checkNats(signals);
  if (gateway) {
    yield* checkTlsFiles(gateway);
    yield* checkFileLimit(gateway);
  }
}

function* findingsOfSettings(faults: readonly string[], environment: Environment): Generator<Finding> {
  for (const fault of faults)
    yield wrong('settings', fault.replace(/\.?$/, '.'), 'docs/reference/configuration.md explains every setting.');
  const unknown = unknownSettings(everySetting, environment, 'CARILLON_').filter((name) => !cliSettings.includes(name));
  if (unknown.length > 0)
    yield warning(
      'settings',
      `Unknown settings: ${unknown.join(', ')}.`,
      'Check the spelling. docs/reference/configuration.md lists all names.',
    );
  if (faults.length === 0) yield ok('settings', 'All settings are valid.');
}
