import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readIntent } from './intent.ts';

describe('an intent', () => {
  const pages: readonly (readonly [string, string | undefined, object])[] = [
    ['intent:#Intent;component=com.example/com.example.Page;end', 'com.example.Page', {}],
    ['intent:#Intent;component=com.example/.Page$Inner;end', 'com.example.Page$Inner', {}],
    ['intent://x#Intent;S.a=1;component=a.b/a.b.C;S.b=2;end', 'a.b.C', { a: '1', b: '2' }],
    [
      'intent:#Intent;component=a.b/a.b.C;S.t=a%20b;B.f=true;i.n=7;l.m=8;S.empty=;S.eq=a=b;end',
      'a.b.C',
      { t: 'a b', f: 'true', n: '7', m: '8', empty: '', eq: 'a=b' },
    ],
    ['intent:#Intent;component=a.b/a.b.C;S.bad=100%;launchFlags=0x10;end', 'a.b.C', { bad: '100%' }],
    ['intent:#Intent;action=a.b;end', undefined, {}],
    ['', undefined, {}],
  ];
  for (const [intent, activity, extras] of pages)
    test(`${intent || 'that is empty'} opens ${activity ?? 'the app'}`, () => {
      assert.deepEqual(readIntent(intent), activity === undefined ? undefined : { activity, extras });
    });

  test('does not change the prototype of the extras', () => {
    const page = readIntent('intent:#Intent;component=a.b/a.b.C;S.__proto__=x;end');
    assert.deepEqual(Object.keys(page?.extras ?? {}), ['__proto__']);
    assert.equal(Object.getPrototypeOf(page?.extras), Object.prototype);
  });
});
