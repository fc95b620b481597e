import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';
import { processSettings } from '#src/foundation/process-settings.ts';
import { readContext } from './docker-context.ts';
import { readStages } from './dockerfile.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(repository, path), 'utf8');

describe('the Dockerfile', () => {
  const text = read('Dockerfile');
  const stages = readStages(text);
  const steps = stages.flatMap((stage) => stage.steps);
  const shipped = stages.filter(({ name }) => !['dependencies', 'console'].includes(name));

  test('passes the linter', () => {
    assert.deepEqual(
      validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
      [],
    );
  });

  test('starts every stage from the Node version that the tests run on', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: object };
    const versions = [...new Set(Object.values(optionalDependencies))];
    assert.deepEqual([...new Set(stages.map(({ base }) => base))], [`node:${versions[0]}-bookworm-slim`]);
    assert.equal(versions.length, 1);
  });

  test('ends with the image of the roles, which is the default target', () => {
    assert.deepEqual(
      stages.map(({ name }) => name),
      ['dependencies', 'console', 'simulators', 'demo', 'carillon'],
    );
  });

  test('runs without a shell and with a numeric user ID, so that Kubernetes can verify that the user is not root', () => {
    assert.equal(shipped.length, 3);
    for (const { steps } of shipped) {
      const users = steps.filter(({ keyword }) => keyword === 'USER');
      assert.deepEqual(
        users.map(({ words }) => words),
        [['10001:10001']],
      );
      const starts = steps.filter(({ keyword }) => ['ENTRYPOINT', 'CMD', 'HEALTHCHECK'].includes(keyword));
      assert.ok(starts.length > 0 && starts.every(({ isList }) => isList));
      // `COPY` ignores `USER` and creates files that belong to root, so all `COPY` steps must precede `USER`.
      assert.ok(steps.slice(steps.indexOf(users[0] as (typeof users)[0])).every(({ keyword }) => keyword !== 'COPY'));
    }
  });

  test('downloads nothing except npm packages, and for the demo PostgreSQL and NATS, and contains no secrets', () => {
    assert.deepEqual(
      steps.filter(({ keyword }) => ['ADD', 'ARG', 'VOLUME', 'SHELL', 'ONBUILD'].includes(keyword)),
      [],
    );
    const runs = steps.filter(({ keyword }) => keyword === 'RUN').map(({ words }) => words.join(' '));
    const [production, development, build, debian = '', ...others] = runs;
    assert.equal(production, 'npm ci --omit=dev --omit=optional --ignore-scripts');
    assert.deepEqual([development, build], ['npm ci --ignore-scripts', 'node scripts/console.ts']);
    assert.match(
      debian,
      /^apt-get update && apt-get install --yes --no-install-recommends nats-server postgresql && rm /,
    );
    assert.deepEqual(others, ['npm ci --omit=optional --ignore-scripts']);
    const environment = steps.filter(({ keyword }) => keyword === 'ENV').flatMap(({ words }) => words);
    assert.deepEqual([...new Set(environment)], ['NODE_ENV=production']);
  });

  test('is built only from files that .dockerignore includes', () => {
    const isInContext = readContext(read('.dockerignore'));
    for (const path of [
      'package.json',
      'src/bin/api.ts',
      'sdk/src/index.ts',
      'migrations/home',
      'console/src/main.tsx',
    ]) {
      assert.ok(isInContext(path), path);
    }
    for (const path of [
      '.git/config',
      '.env',
      'deploy/.env',
      'deploy/secrets/master_keys_apps',
      'node_modules/pg/package.json',
      'sdk/README.md',
      'console/dist/index.html',
      'src/domain/bits.test.ts',
      'simulators/kit/test-client.ts',
    ]) {
      assert.ok(!isInContext(path), path);
    }
  });

  test('uses the default host and port of the settings in its health check', () => {
    const { CARILLON_HEALTH_HOST: host, CARILLON_HEALTH_PORT: port } = processSettings.properties;
    const program = read('src/bin/health-check.ts');
    assert.ok(program.includes(`CARILLON_HEALTH_HOST: host = '${(host as { default?: string }).default}'`));
    assert.ok(program.includes(`CARILLON_HEALTH_PORT: port = '${(port as { default?: number }).default}'`));
  });
});

describe('the development container', () => {
  const text = read('.devcontainer/Dockerfile');

  test('passes the linter, and starts from the same image as the other images', () => {
    assert.deepEqual(
      validate(text).map(({ message }) => message),
      [],
    );
    assert.equal(readStages(text)[0]?.base, readStages(read('Dockerfile'))[0]?.base);
    const settings = JSON.parse(read('.devcontainer/devcontainer.json')) as { build: { dockerfile: string } };
    assert.equal(settings.build.dockerfile, 'Dockerfile');
  });

  test('has the packages that CI installs', () => {
    const [, list = ''] = /^needs=\(\n([\s\S]+?)^\)/m.exec(read('.ci/steps.sh')) ?? [];
    const required = [...list.matchAll(/'\S+ (\S+)'/g)].map(([, name]) => name as string);
    assert.ok(required.length > 10);
    const packages = readStages(text).flatMap(({ steps }) => steps.flatMap(({ words }) => words));
    // The base image contains npm.
    assert.deepEqual(
      required.filter((name) => name !== 'npm' && !packages.includes(name)),
      [],
    );
  });
});
