import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '#src/contract/openapi.ts';
import { stringifyJson } from '#src/foundation/json.ts';

/** Limits that callers reach without a mistake, and the words that describe them. */
const limits = {
  'the size of an image': /smaller than 1 MB \(1,048,576 bytes\)/,
  'the number of access tokens': /at most 100 access tokens/,
  'the length of a tag': /at most 64 bytes each/,
  'the time until show_end_time': /at most 30 days after sending starts/,
  'the lifetime of a store token': /expires after one hour/,
};

const document = stringifyJson(openApiDocument('0'));

for (const [what, words] of Object.entries(limits))
  test(`the OpenAPI document describes ${what}`, () => assert.match(document, words));
