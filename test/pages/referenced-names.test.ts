import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { routes } from '#src/api/routes.ts';
import { securityEvents } from '#src/api/server.ts';
import { everyMetric } from '#src/bin/metrics.ts';
import { everySetting } from '#src/bin/settings.ts';
import { problems } from '#src/domain/problem.ts';
import { metricRow } from '#src/foundation/metrics.ts';
import { databaseRoleName, databaseRoles } from '#src/storage/database/rights.ts';
import { createProgram } from '../../cli/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Generated pages, and decision records, which describe the state at the time they were written. */
const excludedPages = /^docs\/(reference\/(configuration|metrics)|internals\/licences)\.md$|^docs\/decisions\//;
const pages = [...globSync('docs/**/*.md', { cwd: root }), 'SECURITY.md'].filter((page) => !excludedPages.test(page));
const texts = pages.map((page) => ({ page, text: read(page) }));

/** Returns the names that occur on the pages but do not exist, each with its page. */
function findUnknownNames(pattern: RegExp, isThere: (...match: string[]) => boolean, least: number): string[] {
  const named = texts.flatMap(({ page, text }) => [...text.matchAll(pattern)].map((match) => ({ page, match })));
  assert.ok(named.length >= least, `only ${named.length} names were found`);
  return named.filter(({ match }) => !isThere(...match)).map(({ page, match }) => `${page}: ${match[0]}`);
}

/** Environment variables of the command-line tool, of examples and of the files in `deploy/`. */
const otherSettings = [
  ...['CARILLON_URL', 'CARILLON_APP_ID', 'CARILLON_ADMIN_TOKEN', 'CARILLON_USER_TOKEN', 'CARILLON_VERSION'],
  // Read by commands that set the password of an operator.
  'CARILLON_OPERATOR_PASSWORD_FILE',
];
const settings = Object.values(everySetting).flatMap(({ properties }) => Object.keys(properties));

describe('names on the handwritten pages', () => {
  test('settings', () => {
    const known = new Set([...settings, ...settings.map((name) => `${name}_FILE`), ...otherSettings]);
    const isThere = (_: string, name = '', star = '') =>
      star === '' ? known.has(name) : settings.some((setting) => setting.startsWith(name));
    assert.deepEqual(findUnknownNames(/\b(CARILLON_[A-Z_]+)(\*?)/g, isThere, 50), []);
  });

  test('operations', () => {
    const paths = routes.map(({ operation }) => operation.path);
    const isThere = (_: string, path = '') => {
      const [start] = path.split('*') as [string];
      return path === start ? paths.some((known) => known === path) : paths.some((known) => known.startsWith(start));
    };
    const path = /(?<![\w/.…-])(\/(?:push|admin|device|token|user)\/[a-z/]*[a-z*])(?![\w/])/g;
    assert.deepEqual(findUnknownNames(path, isThere, 50), []);
  });

  test('commands and their options', () => {
    const program = createProgram();
    const globals = optionsOf(program);
    const isThere = (line: string) => {
      const words = line.replace(/ {2,}#.*$/, '').match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
      let command = program;
      for (const word of words.slice(1)) {
        const next = command.commands.find((one) => one.name() === word);
        if (!next) break;
        command = next;
      }
      if (command === program) return words.length === 1 || words[1]?.startsWith('-') === true;
      const options = [...optionsOf(command), ...globals, '--help'];
      return command.commands.length === 0 && words.every((word) => !/^--\w/.test(word) || options.includes(word));
    };
    // In a code span, or at the start of a command in a code block.
    const commands = /(?<=`|^\( set -a; .*; |^|\| xargs .*|<\()(?:npx )?carillon(?: [^`|)\n]+)?/gm;
    assert.deepEqual(
      findUnknownNames(commands, (line) => isThere(line.replace(/^npx /, '')), 60),
      [],
    );
  });

  test('metrics and PostgreSQL roles', () => {
    const metricNames = Object.values(everyMetric).flatMap((metrics) =>
      Object.values(metrics).map((metric) => metricRow(metric).name),
    );
    const known = [...metricNames, ...databaseRoles.map((role) => databaseRoleName('carillon', role))];
    // A name in a query can be the prefix of several metrics, or a prefix followed by alternatives in parentheses.
    const isThere = (_: string, name = '', each = '') =>
      each === ''
        ? known.some((metric) => (name.endsWith('_') ? metric.startsWith(name) : metric === name))
        : each.split('|').every((rest) => known.includes(`${name}${rest}`));
    assert.deepEqual(findUnknownNames(/\b(carillon_[a-z_]*)(?:\(([a-z_|]+)\))?/g, isThere, 30), []);
  });

  test('alerts and classes of the SDK', () => {
    const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const classes = globSync('sdk/src/**/*.ts', { cwd: root }).flatMap((path) =>
      [...read(path).matchAll(/^export class (Carillon\w+)/gm)].map(([, name]) => name),
    );
    const kotlinClasses = globSync('sdks/android/*/src/main/kotlin/**/Carillon*.kt', { cwd: root }).map((path) =>
      basename(path, '.kt'),
    );
    const known = [...alerts, ...classes, ...kotlinClasses];
    assert.deepEqual(
      findUnknownNames(/`(Carillon[A-Z]\w+)`/g, (_, name) => known.includes(name), 30),
      [],
    );
  });

  test('files', () => {
    const isThere = (_: string, path = '') => globSync(path, { cwd: root }).length > 0;
    assert.deepEqual(
      findUnknownNames(/`((?:src|test|deploy|migrations|scripts|cli|sdk)\/[\w.*/-]+)`/g, isThere, 40),
      [],
    );
  });
});

test('links with an anchor point to an existing heading', () => {
  const headings = new Map<string, Set<string>>();
  const headingsOf = (page: string) => {
    const known =
      headings.get(page) ?? new Set([...read(page).matchAll(/^#+ (.+)$/gm)].map(([, text]) => slugOf(text as string)));
    headings.set(page, known);
    return known;
  };
  const links = texts.flatMap(({ page, text }) =>
    [...text.matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)].map(([, to = '', slug = '']) => ({
      text: `${page}: ${to}#${slug}`,
      page: to === '' ? page : normalize(join(dirname(page), to)),
      slug,
    })),
  );
  assert.ok(links.length >= 30);
  assert.deepEqual(
    links.filter(({ page, slug }) => !headingsOf(page).has(slug)).map(({ text }) => text),
    [],
  );
});

/** Returns the anchor that repository viewers generate from a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

describe('pages for on-call engineers', () => {
  const sources = globSync('{src,cli}/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  const code = sources.map(read).join('\n');

  /** Minimum number of names on each page. */
  const leastByPage = {
    'docs/operate/troubleshooting.md': 9,
    'docs/operate/troubleshooting-infrastructure.md': 20,
    'docs/operate/incidents.md': 5,
    'docs/operate/log-events.md': 35,
    'docs/operate/alerts.md': 9,
    'docs/operate/audit.md': 11,
  };
  for (const [page, least] of Object.entries(leastByPage))
    test(`${page} names only log events and other identifiers that exist in the code`, () => {
      const words = [...read(page).matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, word]) => word as string);
      assert.ok(words.length >= least, `${words.length} names`);
      assert.deepEqual(
        words.filter((word) => !code.includes(`'${word}'`)),
        [],
      );
    });
});

test('docs/operate/log-events.md lists every warn and error log event with its levels', () => {
  const levelsByEvent = new Map<string, Set<string>>();
  const call = /log\??(?:\.(warn|error)|\[level\])\('([a-z-]+)'/g;
  for (const path of globSync('src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts')))
    for (const [, level, event = ''] of read(path).matchAll(call)) {
      const levels = levelsByEvent.get(event) ?? new Set();
      for (const one of level === undefined ? ['warn', 'error'] : [level]) levels.add(one);
      levelsByEvent.set(event, levels);
    }
  assert.ok(levelsByEvent.size > 20);
  const rows = [...read('docs/operate/log-events.md').matchAll(/^\| `([a-z-]+)` \| ((?:warn|error|, )+) \|/gm)];
  const listed = rows.map(([, event, levels]) => `${event}: ${levels}`);
  const known = [...levelsByEvent].map(
    ([event, levels]) => `${event}: ${['warn', 'error'].filter((one) => levels.has(one)).join(', ')}`,
  );
  assert.deepEqual(listed.sort(), known.sort());
});

test('docs/operate/audit.md lists every security event', () => {
  const code = globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map(read);
  const events = code.flatMap((text) => [...text.matchAll(/log\.security\(([^,{]+),/g)]).map(([, event = '']) => event);
  const names = new Set(
    events.flatMap((event) => [...event.matchAll(/'([a-z-]+)'/g)].map(([, name]) => name as string)),
  );
  names.delete('bad-credentials'); // a condition, not an event
  for (const event of Object.values(securityEvents)) names.add(event);
  names.add('security-events-suppressed');
  const [, section = ''] = read('docs/operate/audit.md').split('## Security events');
  const listed = [...section.matchAll(/^\| `([a-z]+-[a-z-]+)` \|/gm)].map(([, event]) => event as string);
  assert.deepEqual(listed.sort(), [...names].sort());
});

test('docs/operate/troubleshooting.md quotes the sentences of the trace exactly', () => {
  const [, table = ''] = read('docs/operate/troubleshooting.md').split('| Result in the trace |');
  const quoted = [...(table.split('\n\n')[0] as string).matchAll(/^\| [^|]*"([^"|]+)"/gm)].map(
    ([, words]) => words as string,
  );
  assert.ok(quoted.length >= 6);
  const code = read('src/domain/trace/texts-en.ts');
  assert.deepEqual(
    quoted.filter((words) => !code.includes(words)),
    [],
  );
});

test('docs/operate/troubleshooting.md names only existing API errors', () => {
  const known = Object.values(problems).map(({ status, code }) => `${status}, ${code}`);
  const named = [...read('docs/operate/troubleshooting.md').matchAll(/^\| (\d{3}, \d{3,5}) \|/gm)].map(
    ([, both]) => both as string,
  );
  assert.ok(named.length >= 6);
  assert.deepEqual(
    named.filter((both) => !known.includes(both)),
    [],
  );
});

function optionsOf(command: Command): string[] {
  return command.options.flatMap(({ long }) => (long ? [long] : []));
}
