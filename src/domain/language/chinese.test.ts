import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chinese } from './chinese.ts';

test('separates Latin letters and digits from Chinese characters by a space', () => {
  assert.equal(chinese`${'OPPO'}已接受${'通知'}`, 'OPPO 已接受通知');
  assert.equal(chinese`${'华为'}拒绝了通知（${'80300007'}）。`, '华为拒绝了通知（80300007）。');
  assert.equal(chinese`最多${12}个字符`, '最多 12 个字符');
  assert.equal(chinese`群组${7n}`, '群组 7');
});

test('changes nothing inside a value', () => {
  assert.equal(chinese`原因：${'HTTP503错误'}。`, '原因：HTTP503错误。');
  assert.equal(chinese`没有值`, '没有值');
  assert.equal(chinese`${'华为'}${''}已接受`, '华为已接受');
});
