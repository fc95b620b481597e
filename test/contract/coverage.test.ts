import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Operation } from '#src/contract/operation.ts';
import { operations } from '#src/contract/operations.ts';
import { problems } from '#src/domain/problem.ts';
import { absent, blanks, type Call, type Kind, type Row } from './rows/row.ts';
import { rowGroups } from './rows/row-groups.ts';

const ROWS_MIN = 250;
const rows = rowGroups.flatMap((group) => group.rows);

/** Combinations of a field and a row kind that cannot exist, each with its reason. */
const without: Readonly<Record<string, string>> = {};

/** Error codes that no row can return, each with its reason. */
const unanswered: Readonly<Record<number, string>> = {
  12015: 'requires 1,000 drafts: test/flows/operator/drafts.test.ts',
  50000: 'an internal error is never an expected response; the suite fails if one occurs',
  50003: 'requires an unavailable database: test/faults/',
};

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly keepWhitespace?: boolean;
}

interface Field {
  readonly path: string;
  readonly kinds: readonly Kind[];
  readonly keepWhitespace: boolean;
}

/** Every request field, with the kinds of rows that it must have. */
const fields = operations.flatMap(({ path, body, query }: Operation): Field[] => [
  ...(body ? [{ path: `${path} body`, kinds: ['legal', 'illegal'], keepWhitespace: false } as const] : []),
  ...fieldsOf(body as Node | undefined, `${path} body`),
  ...fieldsOf(query as Node | undefined, `${path} query`),
]);

function fieldsOf(node: Node | undefined, path: string): Field[] {
  const properties = node?.properties ?? node?.anyOf?.find((option) => option.properties)?.properties ?? {};
  return Object.entries(properties).flatMap(([name, field]): Field[] => {
    const at = `${path}.${name}`;
    return [
      { path: at, kinds: ['legal', 'blank', 'illegal'], keepWhitespace: field.keepWhitespace ?? false },
      // A blank list item is always illegal.
      ...(field.items ? [{ path: `${at}[]`, kinds: ['legal', 'illegal'], keepWhitespace: false } as const] : []),
      ...(field.items ? fieldsOf(field.items, `${at}[]`) : fieldsOf(field, at)),
    ];
  });
}

const rowsOf = (path: string, kind: Kind) => rows.filter((row) => row.path === path && row.kind === kind);
const callsOf = (rows: readonly Row[]) => rows.flatMap(({ cases }) => cases.map(({ call }) => call));

/** Returns the value that a call sends in the field at `path`, or `absent`. */
function valueAt(call: Call, path: string): unknown {
  const [, place = ''] = path.split(' ');
  const [part, ...names] = place.replaceAll('[]', '').split('.');
  if (part === 'query') return new URLSearchParams(call.query).get(names[0] as string) ?? absent;
  let value: unknown = call.text === undefined ? call.body : tryParse(call.text);
  for (const name of names) {
    // The rows about a field of list items send the value in the last item.
    if (Array.isArray(value)) value = value.at(-1);
    if (typeof value !== 'object' || value === null || !(name in value)) return absent;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the kind of blank value, or undefined if the value is not blank. */
const blankName = (value: unknown): string | undefined => {
  if (value === absent) return 'absent';
  if (value === null) return 'null';
  if (value === '') return 'empty string';
  if (typeof value === 'string' && /^ +$/.test(value)) return 'spaces';
  if (Array.isArray(value) && value.length === 0) return 'empty list';
  if (typeof value === 'object' && Object.keys(value).length === 0) return 'empty object';
  return undefined;
};

describe('request fields', () => {
  test('are found in the contract', () => {
    assert.ok(fields.length > 80, `${fields.length} fields`);
    for (const path of ['/push/notify body.message.vivo.push_mode', '/push/certificate query.environment'])
      assert.ok(
        fields.some((field) => field.path === path),
        path,
      );
  });

  for (const kind of ['legal', 'blank', 'illegal'] as const) {
    test(`have a row of kind ${kind}`, () => {
      const missing = fields
        .filter(({ path, kinds }) => kinds.includes(kind) && rowsOf(path, kind).length === 0)
        .map(({ path }) => `${path} ${kind}`);
      assert.deepEqual(
        missing.filter((field) => !(field in without)),
        [],
      );
      const needless = Object.keys(without).filter((field) => field.endsWith(` ${kind}`) && !missing.includes(field));
      assert.deepEqual(needless, []);
    });
  }

  test('are present and not blank in legal rows, which return 200', () => {
    for (const row of rows.filter(({ kind }) => kind === 'legal'))
      for (const { call, expect } of row.cases) {
        assert.equal(expect.code, 200, row.rule);
        assert.equal(blankName(valueAt(call, row.path)), undefined, row.rule);
      }
  });

  test('are present in illegal rows, which return an error', () => {
    for (const row of rows.filter(({ kind }) => kind === 'illegal'))
      for (const { call, expect } of row.cases) {
        assert.notEqual(expect.code, 200, row.rule);
        assert.notEqual(valueAt(call, row.path), absent, row.rule);
      }
  });

  test('are sent with every kind of blank value in blank rows', () => {
    const every = blanks.map(blankName);
    for (const { path, kinds, keepWhitespace } of fields) {
      if (!kinds.includes('blank')) continue;
      const sentForms = callsOf(rowsOf(path, 'blank')).map((call) => blankName(valueAt(call, path)));
      assert.ok(!sentForms.includes(undefined), `${path}: a value is not blank`);
      const textOnly = path.includes(' query.');
      // Spaces are a valid password, and query parameters are always strings.
      const forms = keepWhitespace ? every.slice(0, 3) : textOnly ? ['absent', 'empty string', 'spaces'] : every;
      assert.deepEqual([...new Set(sentForms)].sort(), [...forms].sort(), path);
    }
  });
});

describe('contract rows', () => {
  test(`number at least ${ROWS_MIN}`, () => {
    assert.ok(rows.length >= ROWS_MIN, `${rows.length} rows`);
  });

  test('have unique names and at least one call', () => {
    const names = rows.map(({ rule }) => rule);
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    );
    assert.deepEqual(
      rows.filter(({ cases }) => cases.length === 0).map(({ rule }) => rule),
      [],
    );
  });

  test('refer to existing fields', () => {
    const fieldPaths = new Set(fields.map(({ path }) => path));
    const strange = rows.filter(({ kind, path }) => kind !== 'rule' && !fieldPaths.has(path)).map(({ path }) => path);
    assert.deepEqual([...new Set(strange)], []);
  });

  test('cover every operation and every error code, except those listed with a reason', () => {
    const called = new Set(callsOf(rows).map(({ path }) => path));
    assert.deepEqual(
      operations.map(({ path }) => path).filter((path) => !called.has(path)),
      [],
    );
    const codes = new Set(rows.flatMap(({ cases }) => cases.map(({ expect }) => expect.code)));
    const silent = new Set(
      Object.values(problems)
        .map(({ code }) => code as number)
        .filter((code) => !codes.has(code)),
    );
    assert.deepEqual([...silent].sort(), Object.keys(unanswered).map(Number).sort());
  });
});
