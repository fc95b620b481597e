import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pushNotify } from './push/notify.ts';
import { findCloseName, findUnknownFields, listFieldPaths, toKnownName } from './unknown-fields.ts';

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
}

/** Returns the field names of every object of a schema. */
function namesByObject(schema: SchemaNode, path = 'body'): [path: string, names: string[]][] {
  const properties = schema.properties ?? schema.anyOf?.find((option) => option.properties)?.properties;
  if (!properties) return [];
  const inner = Object.entries(properties).flatMap(([name, property]) => namesByObject(property, `${path}.${name}`));
  return [[path, Object.keys(properties)], ...inner];
}

const objects = namesByObject(pushNotify.body as SchemaNode);
const find = (body: unknown) => findUnknownFields(pushNotify.body as SchemaNode, body);

const androidFields = ['sound', 'channel_id', 'click_action', 'intent'];
/** All fields in the specification of `/push/notify`, written independently of the contract. */
const specifiedFields: Readonly<Record<string, readonly string[]>> = {
  body: ['audience', 'setting', 'message'],
  'body.audience': ['tag', 'alias', 'user_id', 'push_token'],
  'body.setting': ['request_id', 'distribution_strategy', 'ospush_sequence'],
  'body.message': [
    ...['type', 'title', 'body', 'attachment_url', 'big_text', 'badge', 'ext', 'show_begin_time', 'show_end_time'],
    ...['ios', 'android', 'huawei', 'xiaomi', 'oppo', 'vivo', 'flyme', 'fcm', 'honor'],
  ],
  'body.message.ios': [
    ...['sound', 'content_available', 'mutable_content', 'category', 'thread_id', 'subtitle', 'apns_collapse_id'],
  ],
  'body.message.android': androidFields,
  'body.message.huawei': [...androidFields, 'badge_class'],
  'body.message.xiaomi': androidFields,
  'body.message.oppo': androidFields,
  'body.message.vivo': [...androidFields, 'push_mode', 'classification'],
  'body.message.flyme': androidFields,
  'body.message.fcm': androidFields,
  'body.message.honor': [...androidFields, 'badge_class'],
};

describe('names of known fields', () => {
  test('include every field of the specification', () => {
    const known = new Map(objects);
    for (const [path, names] of Object.entries(specifiedFields))
      for (const name of names) assert.ok(known.get(path)?.includes(name), `${path}.${name}`);
  });

  test('are not close to a field of another object, so that a field at the wrong level is ignored', () => {
    const allNames = [...new Set(objects.flatMap(([, names]) => names))];
    assert.ok(objects.length > 12 && allNames.length > 50);
    for (const [path, names] of objects)
      for (const name of allNames.filter((other) => !names.includes(other)))
        assert.equal(findCloseName(name, names.map(toKnownName)), undefined, `${path}.${name}`);
  });

  test('are not close to each other in one object', () => {
    for (const [path, names] of objects)
      for (const name of names) {
        const others = names.filter((other) => other !== name).map(toKnownName);
        assert.equal(findCloseName(name, others), undefined, `${path}.${name}`);
      }
  });
});

describe('close names', () => {
  const close = (name: string, ...known: string[]) => findCloseName(name, known.map(toKnownName));

  test('differ by one edit for names of at most five letters, and by two for longer names', () => {
    assert.equal(close('titel', 'title'), 'title');
    assert.equal(close('tietl', 'title'), undefined);
    assert.equal(close('mesage', 'message'), 'message');
    assert.equal(close('mesagge', 'message'), 'message');
    assert.equal(close('messg', 'message'), 'message');
    assert.equal(close('mssg', 'message'), undefined);
    assert.equal(close('tags', 'tag'), 'tag');
    assert.equal(close('user', 'user_id'), undefined);
  });

  test('include the same name in another style', () => {
    for (const name of ['showBeginTime', 'show-begin-time', 'SHOW_BEGIN_TIME', 'ShowBeginTime'])
      assert.equal(close(name, 'show_end_time', 'show_begin_time'), 'show_begin_time');
  });

  test('are sorted by their distance', () => {
    assert.equal(close('show_time2', 'show_time10', 'show_time1'), 'show_time1');
  });
});

describe('unknown fields', () => {
  test('are found at every level with their paths', () => {
    const body = {
      colour: 1,
      audience: { user: [1] },
      settings: { a: 1 },
      message: { show_begin_tme: 1, ios: { x: 1 } },
    };
    assert.deepEqual(
      find(body).map(({ path, closeField }) => [path.join('.'), closeField]),
      [
        ['colour', undefined],
        ['audience.user', undefined],
        ['settings', 'setting'],
        ['message.show_begin_tme', 'show_begin_time'],
        ['message.ios.x', undefined],
      ],
    );
  });

  test('are not searched in free-form objects, in lists and in blank values', () => {
    const message = { ext: { titel: 1, message: { titel: 1 } }, titel: ' ', bdy: null, ios: null, fcm: [{ sund: 1 }] };
    assert.deepEqual(find({ audience: 'all', settings: {}, message }), []);
    assert.deepEqual(find('all'), []);
    assert.deepEqual(find(null), []);
  });

  test('do not include names of the prototype', () => {
    assert.deepEqual(
      find({ constructor: 1, toString: 1 }).map(({ path }) => path.join('.')),
      ['constructor', 'toString'],
    );
  });

  test('are listed with a bounded length, and without characters that a header cannot contain', () => {
    const list = (...names: string[]) =>
      listFieldPaths(names.map((name) => ({ path: ['message', name], closeField: undefined })));
    assert.deepEqual(list('a', 'b-c_1'), ['message.a', 'message.b-c_1']);
    assert.deepEqual(list('x\r\ny: 钟.,'), ['message.x??y?????']);
    assert.deepEqual(list('x'.repeat(1_000)), [`message.${'x'.repeat(64)}`]);
    const long = list(...Array.from({ length: 4_000 }, (_, i) => `field${i}`));
    assert.equal(long.at(-1), '...');
    assert.ok(long.length > 50 && long.join(', ').length <= 1_029, `${long.join(', ').length}`);
  });
});
