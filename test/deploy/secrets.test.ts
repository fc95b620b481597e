import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import {
  closeSync,
  cpSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { purposesOf, type RoleName, readKeyrings, settingsOf } from '#src/bin/settings.ts';
import { loadSettings } from '#src/foundation/settings.ts';
import { natsPermissions, natsUsers } from '#src/signals/permissions.ts';
import { findNats } from '../../scripts/stack/programs.ts';
import { type CommandResult, run } from '../support/run-command.ts';
import { deploy, readCompose, readDeploy, readEnvironment } from './compose-file.ts';

const PUBLIC_URL = 'https://push.example.com';
const compose = readCompose();
const directory = mkdtempSync(join(tmpdir(), 'carillon-deploy-'));
/** All secret files except `alertmanager.yml`, which the operator writes. */
const files = Object.values(compose.secrets).flatMap(({ file }) => (file.endsWith('/alertmanager.yml') ? [] : [file]));
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('deploy/secrets.sh', () => {
  const place = join(directory, 'first');
  let made: CommandResult;

  before(async () => {
    made = await generateSecrets(place, [PUBLIC_URL, '--self-signed']);
  });
  after(() => rmSync(directory, { recursive: true }));

  test('creates every file that compose.yaml needs, and names the file to back up', () => {
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stderr, /Keep a copy of secrets\/master_keys_\* elsewhere/);
    for (const file of files) assert.ok(statSync(join(place, file)).size > 30, file);
    assert.deepEqual(
      readdirSync(place).filter((name) => name.startsWith('.secrets-')),
      [],
    );
  });

  test('hides the secrets from other users of the machine', () => {
    assert.deepEqual(
      ['secrets', '.env'].map((name) => modeOf(join(place, name)).toString(8)),
      ['700', '600'],
    );
    // Users in containers have other IDs, and must be able to read the mounted files.
    assert.deepEqual([...new Set(files.map((file) => modeOf(join(place, file))))], [0o444]);
    assert.equal(modeOf(join(place, 'secrets/tls')).toString(8), '755');
  });

  test('lets the owner replace the TLS certificate with the command in docs/operate/compose.md', async () => {
    const opened = openSync(join(place, 'secrets/tls/privkey.pem'), 'r');
    const [install = ''] =
      /^install -m 0444 .*$/m.exec(readFileSync(join(deploy, '../docs/operate/compose.md'), 'utf8')) ?? [];
    const renew = `cp -r secrets/tls renewed; ${install.replaceAll('/path/to/', 'renewed/')}`;
    const { code, stderr } = await run('sh', ['-ec', `cd '${place}'; ${renew}`]);
    assert.equal(code, 0, stderr);
    assert.equal(
      fstatSync(opened).nlink,
      0,
      'the command replaces the file with a new file, so the directory must be mounted',
    );
    closeSync(opened);
  });

  test('sets every required variable in .env', () => {
    const environment = readEnvironment(readFileSync(join(place, '.env'), 'utf8'));
    const required = [...readDeploy('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name as string);
    assert.ok(required.length > 3);
    for (const name of required) assert.ok(environment[name], name);
    assert.equal(environment.CARILLON_PUBLIC_URL, PUBLIC_URL);
    assert.equal(environment.HTTPS_PORT, '443');
  });

  test('sets the HTTPS port of nginx to the port of the public URL', async () => {
    const other = join(directory, 'port');
    assert.equal((await generateSecrets(other, [`${PUBLIC_URL}:8443`, '--self-signed'])).code, 0);
    const { HTTPS_PORT, CARILLON_PUBLIC_URL } = readEnvironment(readFileSync(join(other, '.env'), 'utf8'));
    assert.deepEqual([HTTPS_PORT, CARILLON_PUBLIC_URL], ['8443', `${PUBLIC_URL}:8443`]);
    const certificate = new X509Certificate(readFileSync(join(other, 'secrets/tls/fullchain.pem')));
    assert.equal(certificate.checkHost('push.example.com'), 'push.example.com');
  });

  test('creates settings that every role accepts', () => {
    const roles = Object.values(compose.services).filter(
      ({ image, profiles }) => image.startsWith('carillon:') && !profiles,
    );
    assert.equal(roles.length, 6);
    const variables = readEnvironment(readFileSync(join(place, '.env'), 'utf8'));
    for (const { command: [role = ''] = [], environment = {}, secrets = [] } of roles) {
      const variableEntries = Object.entries(environment).map(([name, value]) => {
        const secret = /^\/run\/secrets\/(\w+)$/.exec(value ?? '')?.[1];
        if (secret === undefined) return [name, interpolate(value ?? '', variables)];
        assert.ok(secrets.includes(secret), `the service with ${name} has the secret ${secret}`);
        return [name, join(place, compose.secrets[secret]?.file ?? '')];
      });
      const roleNames = role === 'migrate' ? [] : [role as RoleName];
      const settings = loadSettings(
        settingsOf(roleNames),
        Object.fromEntries(variableEntries) as Record<string, string>,
      );
      const { hostname, username, password, pathname } = new URL(settings.storage.CARILLON_DATABASE_URL);
      const suffix = role === 'migrate' ? '' : `_${role}`;
      assert.deepEqual([hostname, username, pathname], ['postgres', `carillon${suffix}`, '/carillon']);
      assert.equal(password, readFileSync(join(place, `secrets/database_password${suffix}`), 'utf8'));
      const purposes = purposesOf(roleNames);
      for (const { sealingKeyId } of Object.values(readKeyrings(settings.seal, purposes)))
        assert.match(sealingKeyId, /^\d{8}-\d{6}$/);
      assert.deepEqual(
        secrets.filter((name) => String(name).startsWith('master_keys')).sort(),
        purposes.map((purpose) => `master_keys_${purpose}`),
        `${role} has only the master keys that it needs`,
      );
      if (role === 'migrate') continue;
      assert.deepEqual([settings.signals.CARILLON_NATS_USER, settings.signals.CARILLON_NATS_TLS], [role, 'off']);
      assert.equal(
        settings.signals.CARILLON_NATS_PASSWORD,
        readFileSync(join(place, `secrets/nats_password_${role}`), 'utf8'),
      );
    }
  });

  test('creates a configuration that NATS accepts: three nodes, a user for each role, and another password for routes between nodes', async () => {
    const secret = readFileSync(join(place, 'secrets/nats.conf'), 'utf8');
    const passwords = natsUsers.map((user) => readFileSync(join(place, `secrets/nats_password_${user}`), 'utf8'));
    assert.deepEqual(
      [...secret.matchAll(/"nats:\/\/route:(\w{64})@(nats-\d):6222"/g)].map(([, other = '', node]) => [
        passwords.includes(other),
        node,
      ]),
      ['nats-1', 'nats-2', 'nats-3'].map((node) => [false, node]),
    );
    assert.deepEqual(readNatsUsers(secret), expectedNatsUsers(passwords));
    const page = readFileSync(join(deploy, '../docs/operate/access.md'), 'utf8');
    assert.deepEqual(readNatsUsers(page), expectedNatsUsers(natsUsers.map(() => 'PASSWORD')));
    cpSync(join(place, 'nats/nats.conf'), join(directory, 'nats/nats.conf'));
    cpSync(join(place, 'secrets/nats.conf'), join(directory, 'nats/secret.conf'));
    const checked = await run(findNats(), ['-t', '-c', join(directory, 'nats/nats.conf')]);
    assert.equal(checked.code, 0, checked.stderr);
  });

  test('creates a self-signed certificate with the host name of the URL', () => {
    const certificate = new X509Certificate(readFileSync(join(place, 'secrets/tls/fullchain.pem')));
    assert.equal(certificate.checkHost('push.example.com'), 'push.example.com');
  });

  test('creates different secrets each time, and never overwrites existing files', async () => {
    const before = readFileSync(join(place, 'secrets/master_keys_apps'), 'utf8');
    const again = await run('sh', [join(place, 'secrets.sh'), PUBLIC_URL]);
    assert.deepEqual([again.code, again.stderr], [1, '.env already exists. Nothing was changed.\n']);
    assert.equal(readFileSync(join(place, 'secrets/master_keys_apps'), 'utf8'), before);
    const keys = ['apps', 'callbacks', 'credentials'].map((purpose) =>
      readFileSync(join(place, `secrets/master_keys_${purpose}`), 'utf8'),
    );
    assert.equal(new Set(keys.map((key) => key.split(':')[1])).size, 3, 'each purpose has another key');

    const other = join(directory, 'second');
    assert.equal((await generateSecrets(other, [PUBLIC_URL])).code, 0);
    for (const name of readdirSync(join(place, 'secrets')).filter((name) => name !== 'tls')) {
      const [one, two] = [place, other].map((made) => readFileSync(join(made, 'secrets', name), 'utf8'));
      assert.notEqual(one, two, name);
    }
    assert.deepEqual(readdirSync(join(other, 'secrets/tls')), []);
  });

  for (const args of [[], ['http://push.example.com'], ['https://push.example.com/path'], [PUBLIC_URL, '--force']]) {
    test(`creates nothing if it is called with ${args.join(' ') || 'nothing'}`, async () => {
      const other = join(directory, `wrong-${args.join('-').replaceAll(/\W/g, '-')}`);
      assert.equal((await generateSecrets(other, args)).code, 64);
      assert.ok(!readdirSync(other).some((name) => ['.env', 'secrets'].includes(name)));
    });
  }
});

/** Returns the users in a configuration of NATS, in the form of `natsPermissions`. */
function readNatsUsers(text: string): object[] {
  return [...text.matchAll(/user: (\w+), password: "(\w+)"\s+permissions: \{([^}]+)\}/g)].map(
    ([, user, password, permissions = '']) => ({
      user,
      password,
      ...Object.fromEntries(
        [...permissions.matchAll(/(\w+): (\[.*\]|true)/g)].map(([, name = '', value = '']) => [
          name,
          JSON.parse(value),
        ]),
      ),
    }),
  );
}

const expectedNatsUsers = (passwords: readonly string[]) =>
  natsUsers.map((user, i) => ({ user, password: passwords[i], ...natsPermissions('carillon')[user] }));

/** Runs the script in a copy of the committed files, because an operator may have created real secrets next to them. */
function generateSecrets(place: string, args: readonly string[]): Promise<CommandResult> {
  for (const name of ['secrets.sh', '.env.example', 'nats'])
    cpSync(join(deploy, name), join(place, name), { recursive: true });
  return run('sh', [join(place, 'secrets.sh'), ...args]);
}

const interpolate = (text: string, variables: Readonly<Record<string, string>>) =>
  text.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name: string) => variables[name] ?? '');
