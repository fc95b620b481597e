import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '#src/domain/message.ts';
import {
  describeOmittedData,
  fitDataAndText,
  type OptionalData,
  omittedData,
  optionalDataOf,
  shortestText,
} from './optional-data.ts';

const message: Message = { type: 'text', badge: '+1', attachment_url: 'https://example.com/a.png', ext: { a: 1 } };

describe('data that is too long', () => {
  test('loses big_text first, then ext, then attachment_url', () => {
    assert.deepEqual(optionalDataOf(message), ['ext', 'attachment_url']);
    const all = ['big_text', 'ext', 'attachment_url'];
    assert.deepEqual(optionalDataOf({ ...message, body: 'b' }, { showsBigText: false }), all);
    assert.deepEqual(optionalDataOf(message, { showsBigText: false }), ['ext', 'attachment_url']);
    assert.deepEqual(optionalDataOf({ ...message, type: 'cmd' }), all);
  });

  test('loses no more fields than necessary', () => {
    const all = optionalDataOf({ ...message, body: 'b' }, { showsBigText: false });
    const omittedIfRoomFor = (count: number) =>
      omittedData({ ...message, big_text: 'B' }, all, (omitted) => all.length - omitted.length <= count);
    assert.deepEqual(omittedIfRoomFor(3), []);
    assert.deepEqual(omittedIfRoomFor(2), ['big_text']);
    assert.deepEqual(omittedIfRoomFor(1), ['big_text', 'ext']);
    assert.deepEqual(omittedIfRoomFor(0), all);
    const fitsWithoutExt = (omitted: readonly OptionalData[]) => omitted.includes('ext');
    assert.deepEqual(omittedData({ ...message, big_text: 'B' }, all, fitsWithoutExt), ['ext']);
  });

  test('does not contain a copy of the texts that would cut the displayed text', () => {
    const body = 'x'.repeat(50);
    const texts: Message = { type: 'text', badge: '+1', body, big_text: 'y'.repeat(20) };
    const build = (omitted: readonly OptionalData[], text = '') =>
      JSON.stringify({ text, ...(!omitted.includes('big_text') && { copy: texts.big_text }) });
    const fitted = (bytesMax: number) =>
      fitDataAndText({ message: texts, text: body, bytesMax, showsBigText: false }, build);
    const complete = build([], body);
    assert.equal(fitted(complete.length), complete);
    assert.equal(fitted(complete.length - 1), build(['big_text'], body));
  });

  test('loses only fields that the message has', () => {
    const never = () => false;
    assert.deepEqual(omittedData(message, ['big_text', 'ext', 'attachment_url'], never), ['ext', 'attachment_url']);
    assert.deepEqual(omittedData({ type: 'text', badge: '+1' }, ['ext'], never), []);
  });

  test('is reported with a sentence for each field', () => {
    const fields: readonly OptionalData[] = ['big_text', 'ext', 'attachment_url'];
    assert.deepEqual(
      describeOmittedData(message, fields, { attachment_url: 'x' }, 'OPPO accepts at most 7 bytes', 'en'),
      ['ext is left out of the data for the app: OPPO accepts at most 7 bytes.'],
    );
  });
});

test('the data leaves room for 40 characters of the displayed text', () => {
  assert.equal(shortestText('x'.repeat(40)), 'x'.repeat(40));
  assert.equal(shortestText('x'.repeat(41)), `${'x'.repeat(39)}…`);
});
