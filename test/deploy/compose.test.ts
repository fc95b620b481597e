import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';
import { everySetting } from '#src/bin/settings.ts';
import { unknownSettings } from '#src/foundation/settings.ts';
import { createProgram } from '../../cli/program.ts';
import { vendors } from '../../simulators/vendors.ts';
import { commandsOf } from '../guides/commands.ts';
import { run } from '../support/run-command.ts';
import { type ComposeService, deploy, networksOf, readCompose, readDeploy, readEnvironment } from './compose-file.ts';

const compose = readCompose();
const services = Object.entries(compose.services);
const readPage = (name: string) => readFileSync(join(deploy, '../docs/operate', name), 'utf8');
const ours = services.filter(([, { image }]) => image.startsWith('carillon:'));
const serviceOf = (name: string) => compose.services[name] as ComposeService;
const entries = <T>(pick: (service: (typeof services)[number][1]) => T): Record<string, T> =>
  Object.fromEntries(services.map(([name, service]) => [name, pick(service)]));

/** Declared here, because module resolution does not find the types of the linter. */
interface Linter {
  lintFiles(paths: string[], isRecursive: boolean): { messages: { rule: string; line: number; message: string }[] }[];
}

describe('deploy/compose.yaml', () => {
  test('is valid according to the schema of the Compose specification', () => {
    const place = dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
    const { $schema: _, ...schema } = JSON.parse(readFileSync(join(place, 'schemas/compose.schema.json'), 'utf8'));
    const isCompose = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    assert.ok(isCompose(compose), JSON.stringify(isCompose.errors, null, 1));
    const { nginx } = compose.services;
    assert.ok(
      !isCompose({ ...compose, services: { nginx: { ...nginx, depends: [] } } }),
      'the schema rejects an unknown key',
    );
  });

  test('has no linter warnings', () => {
    // Reasons for the disabled rules: entries are ordered by topic, and images that this file builds have a name, so
    // that all roles share one image. Tests below check the ports and the image versions.
    const off = ['service-keys-order', 'services-alphabetical-order', 'service-dependencies-alphabetical-order']
      .concat(['top-level-properties-order', 'no-unbound-port-interfaces'])
      .concat(['no-build-and-image', 'service-image-require-explicit-tag']);
    const rules = {
      ...Object.fromEntries(off.map((rule) => [rule, 0 as const])),
      'require-quotes-in-ports': [2, { quoteType: 'double' }] as [2, object],
    };
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] }) as Linter;
    const messages = linter.lintFiles([join(deploy, 'compose.yaml')], false).flatMap((result) => result.messages);
    assert.deepEqual(
      messages.map(({ rule, line, message }) => `${line}: ${rule}: ${message}`),
      [],
    );
  });

  test('has two processes of each role, each started with a command of the image', () => {
    const counts: Record<string, number> = {};
    for (const [, { command, deploy: deployment, entrypoint }] of ours) {
      if (entrypoint) continue;
      const role = command?.[0] as string;
      counts[role] = (counts[role] ?? 0) + (deployment?.replicas ?? 1);
    }
    assert.deepEqual(counts, { api: 2, gateway: 2, worker: 2, migrate: 1 });
    const commands = readFileSync(join(deploy, '../src/bin/main.ts'), 'utf8');
    for (const role of Object.keys(counts)) assert.match(commands, new RegExp(`^  ${role}: `, 'm'));
  });

  test('passes only existing settings to the roles, including vendor settings', () => {
    const settingNames = ours
      .filter(([name]) => name !== 'cli') // a client with its own settings
      .flatMap(([, { environment }]) => Object.keys(environment ?? {}));
    const files = ['vendors.env', 'simulators.env'].flatMap((file) =>
      Object.keys(readEnvironment(readDeploy(file).replaceAll(/^#(?=CARILLON_)/gm, ''))),
    );
    assert.ok(settingNames.length > 30 && files.length > 10, `${settingNames.length}, ${files.length}`);
    const environment = Object.fromEntries([...settingNames, ...files].map((name) => [name, '']));
    assert.deepEqual(unknownSettings(everySetting, environment, 'CARILLON_'), []);
  });

  test('publishes ports to other machines only through nginx', () => {
    const open = services.filter(([, { ports }]) => ports !== undefined);
    // Grafana is published only on the loopback address. Operators on other machines need a tunnel.
    assert.deepEqual(open.map(([name]) => name).sort(), ['grafana', 'nginx']);
    assert.ok(compose.services.grafana?.ports?.every((port) => port.startsWith('127.0.0.1:')));
    const listenerPorts = compose.services.nginx?.ports?.map((port) => port.split(':').at(-1)); // MQTT without TLS is not published
    assert.deepEqual(listenerPorts, ['443', '8883']);
    for (const server of ['postgres', 'nats-1', 'nats-2', 'nats-3']) {
      assert.deepEqual(networksOf(serviceOf(server)), ['back'], server);
    }
    assert.deepEqual([compose.networks.back, compose.networks.watch], [{ internal: true }, { internal: true }]);
  });

  test('runs no service as root, with a writable root file system or without limits', () => {
    const wrong = services.filter(([, service]) => {
      const { limits = {} } = service.deploy?.resources ?? {};
      const isOurImage = service.image.startsWith('carillon'); // the Dockerfile sets its user
      return !(
        (isOurImage ? service.user === undefined : /^[1-9]\d*:\d+$/.test(service.user ?? '')) &&
        service.read_only === true &&
        service.privileged === undefined &&
        service.cap_add === undefined &&
        service.cap_drop?.includes('ALL') &&
        service.security_opt?.includes('no-new-privileges:true') &&
        ['cpus', 'memory', 'pids'].every((name) => limits[name] !== undefined) &&
        service.logging?.options?.['max-size'] !== undefined
      );
    });
    assert.deepEqual(wrong, []);
  });

  test('uses images with exact versions, and never pulls its own images', () => {
    const images = new Set(Object.values(entries(({ image }) => image)));
    const others = [...images].filter((image) => !image.startsWith('carillon'));
    assert.equal(others.length, 6);
    assert.deepEqual(
      others.filter((image) => !/:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/.test(image)),
      [],
    );
    const built = services.filter(([, { image }]) => image.startsWith('carillon'));
    assert.deepEqual(
      built.filter(([, { pull_policy }]) => pull_policy !== 'never').map(([name]) => name),
      [],
    );
  });

  test('has a health check for every long-running service', () => {
    const unwatched = services.filter(([, { image, healthcheck }]) =>
      image.startsWith('carillon:') ? healthcheck !== undefined : healthcheck?.test === undefined,
    );
    assert.deepEqual(
      unwatched.map(([name]) => name).sort(),
      ['cli', 'migrate'], // these commands exit
    );
  });

  test('has a stop grace period longer than a role needs to stop', () => {
    const seconds = (service: string) => Number.parseInt(compose.services[service]?.stop_grace_period ?? '', 10);
    const settings = { ...everySetting.process.properties, ...everySetting.gateway.properties };
    const defaultOf = (name: keyof typeof settings) => (settings[name] as { default?: number }).default as number;
    const drain = defaultOf('CARILLON_READINESS_DELAY_SECONDS');
    const gateway = drain + defaultOf('CARILLON_GATEWAY_DRAIN_SECONDS');
    assert.ok(seconds('gateway-1') >= gateway + 15 && seconds('gateway-2') >= gateway + 15);
    for (const role of ['api-1', 'api-2', 'worker']) assert.ok(seconds(role) >= drain + 30, role);
  });

  test('keeps fsync enabled, and stores the files of PostgreSQL in a volume', () => {
    const { command = [], volumes = [] } = compose.services.postgres ?? {};
    assert.ok(volumes.includes('postgres:/var/lib/postgresql/data'));
    assert.ok(!/fsync|full_page_writes|synchronous_commit/.test(command.join(' ')));
  });

  test('uses only variables of .env.example, which contains no secrets', () => {
    const asked = [...readDeploy('compose.yaml').matchAll(/\$\{(\w+)(:[?-])?/g)];
    const exampleVariables = readEnvironment(readDeploy('.env.example'));
    assert.deepEqual(
      [...new Set(asked.map(([, name]) => name as string))].filter((name) => !(name in exampleVariables)),
      [],
    );
    assert.ok(asked.every(([, , fallback]) => fallback !== undefined));
    assert.equal(exampleVariables.CARILLON_PUBLIC_URL, '');
    const { version } = JSON.parse(readFileSync(join(deploy, '../package.json'), 'utf8')) as { version: string };
    assert.equal(exampleVariables.CARILLON_VERSION, version);
    assert.ok(Object.keys(exampleVariables).every((name) => !/PASSWORD|SECRET|KEY|TOKEN/.test(name)));
  });

  test('mounts only existing files', () => {
    const mounted = services.flatMap(([, { volumes = [] }]) => volumes).filter((volume) => volume.startsWith('./'));
    assert.ok(mounted.length >= 6);
    const missing = mounted
      .map((volume) => volume.split(':')[0] as string)
      // The files that secrets.sh creates are checked by secrets.test.ts.
      .filter((path) => !path.startsWith('./secrets/') && !existsSync(join(deploy, path)));
    assert.deepEqual(missing, []);
  });

  test('mounts the directory of the TLS certificate, so that nginx finds a replaced certificate', () => {
    const { volumes = [], secrets } = compose.services.nginx ?? {};
    const [, inside] = volumes.find((volume) => volume.startsWith('./secrets/tls:'))?.split(':') ?? [];
    const files = [...readDeploy('nginx/nginx.conf').matchAll(/ssl_certificate(?:_key)? (\S+);/g)];
    assert.deepEqual([...new Set(files.map(([, file]) => dirname(file as string)))], [inside]);
    assert.equal(secrets, undefined, 'a separately mounted file would keep its old content');
  });

  test('has every service that the commands in the documentation name', () => {
    const page = readPage('compose.md');
    const pages = globSync('*.md', { cwd: join(deploy, '../docs/operate') })
      .map(readPage)
      .join('\n');
    const commands = [...pages.matchAll(/docker compose (?:exec|run|logs|restart)(?: -\S+| \dh)* ([a-z][\w-]+)/g)];
    assert.ok(commands.length >= 15, `${commands.length} commands`);
    for (const [command, name] of commands) assert.ok((name as string) in compose.services, command);
    const upgraded = /for service in ([^;]+);/.exec(page)?.[1]?.split(' ');
    const staying = ours.filter(([, { restart }]) => restart === 'unless-stopped').map(([name]) => name);
    assert.deepEqual(upgraded?.toSorted(), staying.toSorted());
    const roles = upgraded?.map((name) => name.replace(/-\d$/, ''));
    assert.deepEqual(
      [...new Set(roles)],
      ['gateway', 'worker', 'api'],
      'receivers are upgraded before senders: docs/operate/upgrade.md',
    );
  });

  test('the upgrade in docs/operate/compose.md uses a new version name and stops at the first service that fails to start', async () => {
    const [upgrade = ''] = commandsOf('docs/operate/compose.md')
      .map(({ text }) => text)
      .filter((text) => text.includes('docker compose build &&'));
    const place = mkdtempSync(join(tmpdir(), 'carillon-upgrade-'));
    try {
      cpSync(join(deploy, '.env.example'), join(place, '.env.example'));
      cpSync(join(deploy, '.env.example'), join(place, '.env'));
      // git and docker are replaced by functions; docker records its calls. The worker does not become healthy.
      const pretended = `record() { echo "$*" >>calls; }
        git() { if [ "$1" = describe ]; then echo v0.2.0; fi; }
        docker() { record "$(sed -n s/^CARILLON_VERSION=//p .env) $*"; case "$*" in *worker) return 1 ;; esac; }`;
      await run('bash', ['-c', `cd '${place}'\n${pretended}\n${upgrade}`]);
      const calls = readFileSync(join(place, 'calls'), 'utf8').trimEnd().split('\n');
      assert.deepEqual(
        calls.map((line) => [line.split(' ')[0], line.split(' ').at(-1)]),
        ['build', 'migrate', 'gateway-1', 'gateway-2', 'worker'].map((last) => ['v0.2.0', last]),
      );
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  test('the commands of docs/operate/compose.md for the cli service exist, with their options', () => {
    const program = createProgram();
    const lines = [
      ...readPage('compose.md')
        .replaceAll('\\\n', ' ')
        .matchAll(/^docker compose run .*?cli (\w.*)$/gm),
    ];
    assert.ok(lines.length >= 4, `${lines.length} lines`);
    for (const [line, words = ''] of lines) {
      const [topic, name, ...rest] = words.replace(/ {2,}#.*/, '').split(/\s+/);
      const parent = program.commands.find((command) => command.name() === topic);
      const options = parent?.commands.find((command) => command.name() === name)?.options;
      const unknown = rest.filter((word) => /^--/.test(word) && !options?.some(({ long }) => long === word));
      assert.deepEqual([options !== undefined, unknown], [true, []], line);
      // The container has no access to files on this machine, so the commands must read them from standard input.
      assert.ok(!/ @(?!-)/.test(line) && line.includes('@-') === / -T .*@-.* <\S/.test(line), line);
    }
  });

  test('docs/operate/keys.md recreates exactly the services that have the master keys', () => {
    const restarted = /for service in ([^;]+);.*--force-recreate/.exec(readPage('keys.md'))?.[1]?.split(' ');
    const having = services
      .filter(([, { secrets = [] }]) => secrets.some((secret) => String(secret).startsWith('master_keys_')))
      .map(([name]) => name);
    assert.deepEqual(restarted?.toSorted(), having.toSorted());
    for (const purpose of ['apps', 'callbacks', 'credentials'])
      assert.equal(compose.secrets[`master_keys_${purpose}`]?.file, `./secrets/master_keys_${purpose}`);
  });

  test('has an Alertmanager that Prometheus sends alerts to, disabled until receivers are configured', () => {
    const { alerting } = parse(readDeploy('prometheus/prometheus.yml')) as {
      alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] };
    };
    const targets = alerting.alertmanagers.flatMap((one) => one.static_configs.flatMap((two) => two.targets));
    assert.deepEqual(targets, ['alertmanager:9093']);
    assert.deepEqual(compose.services.alertmanager?.profiles, ['alerting']);
    assert.ok(['prometheus', 'alertmanager'].every((name) => networksOf(serviceOf(name)).includes('watch')));
    type Config = { route: { receiver: string; routes: { receiver: string }[] }; receivers?: { name: string }[] };
    const example = readDeploy('alertmanager/alertmanager.example.yml');
    const { route, receivers } = parse(example) as Config;
    assert.equal(receivers, undefined, 'Alertmanager rejects a route to a missing receiver');
    const filled = parse(example.replaceAll(/^#(?=receivers:| )(?! [A-Z])/gm, '')) as Config;
    assert.deepEqual(
      filled.receivers?.map(({ name }) => name),
      ['operator'],
    );
    assert.deepEqual([route.receiver, ...route.routes.map(({ receiver }) => receiver)], ['operator', 'operator']);
  });

  test('starts the simulators at the addresses in simulators.env', () => {
    const { command = [] } = compose.services.simulators ?? {};
    const flags = new Map(command.map((flag) => flag.replace(/^--/, '').split('=') as [string, string]));
    assert.equal(flags.get('name'), 'simulators');
    const ports = Object.entries(vendors).flatMap(([vendor, { ports: names }]) =>
      names.map((name) => `${vendor}-${name}-port`),
    );
    assert.deepEqual(
      ports.filter((port) => !flags.has(port)),
      [],
    );
    const { NODE_EXTRA_CA_CERTS: authority, ...urls } = readEnvironment(readDeploy('simulators.env'));
    assert.equal(authority, flags.get('ca-file'));
    for (const [name, url] of Object.entries(urls)) {
      const [, vendor = '', rest = ''] = /^CARILLON_([A-Z]+)_(.*)$/.exec(name) ?? [];
      const endpointKind = {
        URL: 'send',
        TOKEN_URL: 'token',
        URL_PRODUCTION: 'production',
        URL_DEVELOPMENT: 'sandbox',
      }[rest];
      assert.equal(url, `https://simulators:${flags.get(`${vendor.toLowerCase()}-${endpointKind}-port`)}`, name);
    }
    const given = Object.keys(everySetting.vendors.properties).filter((name) =>
      /^CARILLON_(?!VENDOR|PUBLIC).*URL/.test(name),
    );
    assert.deepEqual(Object.keys(urls).sort(), given.sort());
  });

  test('has every service that Prometheus and nginx refer to', () => {
    const scraped = [...readDeploy('prometheus/prometheus.yml').matchAll(/names: \[([^\]]+)\]/g)].flatMap(([, names]) =>
      (names as string).split(', '),
    );
    const fronted = [...readDeploy('nginx/nginx.conf').matchAll(/^\s*server ([\w-]+):\d+/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set(fronted)].sort(), ['api-1', 'api-2', 'gateway-1', 'gateway-2']);
    assert.deepEqual(scraped.sort(), ['api-1', 'api-2', 'gateway-1', 'gateway-2', 'worker']);
    for (const name of [...scraped, ...fronted]) assert.ok(name && name in compose.services, name);
    // nginx resolves names only once, so the addresses must be fixed.
    for (const name of fronted) {
      const networks = compose.services[name as string]?.networks as
        | Record<string, { ipv4_address?: string }>
        | undefined;
      assert.match(networks?.front?.ipv4_address ?? '', /^\$\{FRONT_PREFIX:\?[^}]+\}\.\d+$/);
    }
  });
});
