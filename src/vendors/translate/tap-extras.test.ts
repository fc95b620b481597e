import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withTapExtras } from './tap-extras.ts';

const INTENT = 'intent:#Intent;component=com.a/com.a.Page;S.room=7;end';
const sent = { taskId: 9n, reference: '9.1.2' };

describe('withTapExtras', () => {
  test('adds the message ID and the reference as the last extras, which override earlier ones', () => {
    const extended = 'intent:#Intent;component=com.a/com.a.Page;S.room=7;S.mid=9;S.reference=9.1.2;end';
    assert.equal(withTapExtras(INTENT, sent), extended);
  });

  test('does not change an intent with a selector, or of another form', () => {
    for (const intent of ['intent:#Intent;action=a;SEL;package=com.b;end', 'intent:#Intent;component=com.a/com.a.Page'])
      assert.equal(withTapExtras(intent, sent), intent);
  });

  test('does not make an intent longer than the limit', () => {
    const extended = withTapExtras(INTENT, sent);
    assert.equal(withTapExtras(INTENT, sent, extended.length), extended);
    assert.equal(withTapExtras(INTENT, sent, extended.length - 1), INTENT);
  });
});
