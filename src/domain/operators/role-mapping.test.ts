import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRoleMapping, type RoleMapping, rolesOfGroups } from './role-mapping.ts';

test('parses roles in apps and platform operators', () => {
  assert.deepEqual(parseRoleMapping(' ops=platform, cn=shop team=sender@shop ,'), [
    { group: 'ops', grant: 'platform' },
    { group: 'cn=shop team', grant: { appId: 'shop', role: 'sender' } },
  ]);
  assert.deepEqual(parseRoleMapping(''), []);
});

test('returns the first wrong entry', () => {
  for (const wrong of ['ops', '=platform', 'ops=root', 'ops=sender', 'ops=sender@', 'ops=owner@shop', 'ops='])
    assert.equal(parseRoleMapping(`good=platform,${wrong}`), wrong);
});

test('grants the highest role of all groups, and nothing without a group', () => {
  const mapping = parseRoleMapping('a=viewer@shop,b=admin@shop,b=viewer@news,c=platform') as RoleMapping;
  assert.equal(rolesOfGroups(mapping, []), undefined);
  assert.equal(rolesOfGroups(mapping, ['d']), undefined);
  assert.deepEqual(rolesOfGroups(mapping, ['b', 'a']), {
    isPlatform: false,
    roles: new Map([
      ['shop', 'admin'],
      ['news', 'viewer'],
    ]),
  });
  assert.deepEqual(rolesOfGroups(mapping, ['c']), { isPlatform: true, roles: new Map() });
});
