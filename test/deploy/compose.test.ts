import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { DCLinter } from 'dclint';
import { everySetting } from '#src/bin/settings.ts';
import { unknownSettings } from '#src/foundation/settings.ts';
import { vendors } from '../../simulators/vendors.ts';
import { deploy, networksOf, readCompose, readDeploy, readEnvironment } from './compose-file.ts';

const compose = readCompose();
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image.startsWith('carillon:'));
const entries = <T>(pick: (service: (typeof services)[number][1]) => T): Record<string, T> =>
  Object.fromEntries(services.map(([name, service]) => [name, pick(service)]));

/** The linter's own types cannot be found by our module resolution. */
interface Linter {
  lintFiles(paths: string[], isRecursive: boolean): { messages: { rule: string; line: number; message: string }[] }[];
}

describe('deploy/compose.yaml', () => {
  test('is a Compose file, says the schema of the specification', () => {
    const place = dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
    const { $schema: _, ...schema } = JSON.parse(readFileSync(join(place, 'schemas/compose.schema.json'), 'utf8'));
    const isCompose = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    assert.ok(isCompose(compose), JSON.stringify(isCompose.errors, null, 1));
    const { nginx } = compose.services;
    assert.ok(!isCompose({ ...compose, services: { nginx: { ...nginx, depends: [] } } }), 'so it can also say no');
  });

  test('has no habit that its linter warns of', () => {
    // In the order of what belongs together. What is built here is named, so that all roles share it, and tested below.
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

  test('has two of each role, each by a name that the image knows', () => {
    const counts: Record<string, number> = {};
    for (const [, { command, deploy: wish, entrypoint }] of ours) {
      if (entrypoint) continue;
      const role = command?.[0] as string;
      counts[role] = (counts[role] ?? 0) + (wish?.replicas ?? 1);
    }
    assert.deepEqual(counts, { api: 2, gateway: 2, worker: 2, migrate: 1 });
    const commands = readFileSync(join(deploy, '../src/bin/main.ts'), 'utf8');
    for (const role of Object.keys(counts)) assert.match(commands, new RegExp(`^  ${role}: `, 'm'));
  });

  test('tells the roles settings that there are, those of vendors too', () => {
    const told = ours
      .filter(([name]) => name !== 'cli') // it is a client, and has settings of its own
      .flatMap(([, { environment }]) => Object.keys(environment ?? {}));
    const files = ['vendors.env', 'simulators.env'].flatMap((file) =>
      Object.keys(readEnvironment(readDeploy(file).replaceAll(/^#(?=CARILLON_)/gm, ''))),
    );
    assert.ok(told.length > 30 && files.length > 10, `${told.length}, ${files.length}`);
    const environment = Object.fromEntries([...told, ...files].map((name) => [name, '']));
    assert.deepEqual(unknownSettings(everySetting, environment, 'CARILLON_'), []);
  });

  test('opens this machine to others by nginx alone', () => {
    const open = services.filter(([, { ports }]) => ports !== undefined);
    // Grafana has no other way to the operator; from elsewhere it takes a tunnel.
    assert.deepEqual(open.map(([name]) => name).sort(), ['grafana', 'nginx']);
    assert.ok(compose.services.grafana?.ports?.every((port) => port.startsWith('127.0.0.1:')));
    const doors = compose.services.nginx?.ports?.map((port) => port.split(':').at(-1)); // MQTT without TLS is none
    assert.deepEqual(doors, ['443', '8883']);
    for (const engine of ['postgres', 'nats-1', 'nats-2', 'nats-3']) {
      assert.deepEqual(networksOf(compose.services[engine] as (typeof services)[number][1]), ['back'], engine);
    }
    assert.deepEqual([compose.networks.back, compose.networks.watch], [{ internal: true }, { internal: true }]);
  });

  test('runs nothing as root, with a root that can be written, or without a bound', () => {
    const wrong = services.filter(([, service]) => {
      const { limits = {} } = service.deploy?.resources ?? {};
      const isOurImage = service.image.startsWith('carillon'); // whose user the Dockerfile names
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

  test('takes images of exact versions, and its own from here', () => {
    const images = new Set(Object.values(entries(({ image }) => image)));
    const others = [...images].filter((image) => !image.startsWith('carillon'));
    assert.equal(others.length, 5);
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

  test('watches everything that stays', () => {
    const unwatched = services.filter(([, { image, healthcheck }]) =>
      image.startsWith('carillon:') ? healthcheck !== undefined : healthcheck?.test === undefined,
    );
    assert.deepEqual(
      unwatched.map(([name]) => name).sort(),
      ['cli', 'migrate'], // which come to an end
    );
  });

  test('waits for a role longer than it takes to stop', () => {
    const seconds = (service: string) => Number.parseInt(compose.services[service]?.stop_grace_period ?? '', 10);
    const settings = { ...everySetting.process.properties, ...everySetting.gateway.properties };
    const defaultOf = (name: keyof typeof settings) => (settings[name] as { default?: number }).default as number;
    const drain = defaultOf('CARILLON_DRAIN_SECONDS');
    const gateway = drain + defaultOf('CARILLON_GATEWAY_DRAIN_SECONDS');
    assert.ok(seconds('gateway-1') >= gateway + 15 && seconds('gateway-2') >= gateway + 15);
    for (const role of ['api-1', 'api-2', 'worker']) assert.ok(seconds(role) >= drain + 30, role);
  });

  test('leaves PostgreSQL its promise: fsync is on, and its files are in a volume', () => {
    const { command = [], volumes = [] } = compose.services.postgres ?? {};
    assert.ok(volumes.includes('postgres:/var/lib/postgresql/data'));
    assert.ok(!/fsync|full_page_writes|synchronous_commit/.test(command.join(' ')));
  });

  test('has a variable in .env.example for everything it asks for, and no secret among them', () => {
    const asked = [...readDeploy('compose.yaml').matchAll(/\$\{(\w+)(:[?-])?/g)];
    const known = readEnvironment(readDeploy('.env.example'));
    assert.deepEqual(
      [...new Set(asked.map(([, name]) => name as string))].filter((name) => !(name in known)),
      [],
    );
    assert.ok(asked.every(([, , fallback]) => fallback !== undefined));
    assert.equal(known.CARILLON_PUBLIC_URL, '');
    const { version } = JSON.parse(readFileSync(join(deploy, '../package.json'), 'utf8')) as { version: string };
    assert.equal(known.CARILLON_VERSION, version);
    assert.ok(Object.keys(known).every((name) => !/PASSWORD|SECRET|KEY|TOKEN/.test(name)));
  });

  test('mounts what is there', () => {
    const mounted = services.flatMap(([, { volumes = [] }]) => volumes).filter((volume) => volume.startsWith('./'));
    assert.ok(mounted.length >= 6);
    const missing = mounted
      .map((volume) => volume.split(':')[0] as string)
      .filter((path) => !existsSync(join(deploy, path)));
    assert.deepEqual(missing, []);
  });

  test('is spoken of in docs/deploy.md with services that there are', () => {
    const page = readFileSync(join(deploy, '../docs/deploy.md'), 'utf8');
    const commands = [...page.matchAll(/docker compose (?:exec|run|logs)(?: -\S+)* ([\w-]+)/g)];
    assert.ok(commands.length >= 8, `${commands.length} commands`);
    for (const [command, name] of commands) assert.ok((name as string) in compose.services, command);
    const upgraded = /for service in ([^;]+);/.exec(page)?.[1]?.split(' ');
    const staying = ours.filter(([, { restart }]) => restart === 'unless-stopped').map(([name]) => name);
    assert.deepEqual(upgraded?.toSorted(), staying.toSorted());
    const roles = upgraded?.map((name) => name.replace(/-\d$/, ''));
    assert.deepEqual([...new Set(roles)], ['gateway', 'worker', 'api'], 'whoever listens comes first: docs/upgrade.md');
  });

  test('starts the simulators where simulators.env looks for them', () => {
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
      const door = { URL: 'send', TOKEN_URL: 'token', URL_PRODUCTION: 'production', URL_DEVELOPMENT: 'sandbox' }[rest];
      assert.equal(url, `https://simulators:${flags.get(`${vendor.toLowerCase()}-${door}-port`)}`, name);
    }
    const given = Object.keys(everySetting.channels.properties).filter((name) =>
      /^CARILLON_(?!VENDOR|PUBLIC).*URL/.test(name),
    );
    assert.deepEqual(Object.keys(urls).sort(), given.sort());
  });

  test('lets Prometheus and nginx look for services that there are', () => {
    const scraped = [...readDeploy('prometheus/prometheus.yml').matchAll(/names: \[([^\]]+)\]/g)].flatMap(([, names]) =>
      (names as string).split(', '),
    );
    const fronted = [...readDeploy('nginx/nginx.conf').matchAll(/^\s*server ([\w-]+):\d+/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set(fronted)].sort(), ['api-1', 'api-2', 'gateway-1', 'gateway-2']);
    assert.deepEqual(scraped.sort(), ['api-1', 'api-2', 'gateway-1', 'gateway-2', 'worker']);
    for (const name of [...scraped, ...fronted]) assert.ok(name && name in compose.services, name);
    // nginx looks names up once, so their addresses must stay.
    for (const name of fronted) {
      const networks = compose.services[name as string]?.networks as
        | Record<string, { ipv4_address?: string }>
        | undefined;
      assert.match(networks?.front?.ipv4_address ?? '', /^\$\{FRONT_PREFIX:\?[^}]+\}\.\d+$/);
    }
  });
});
