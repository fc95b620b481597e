import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestLanguage } from './request-language.ts';

const cases: readonly (readonly [string | undefined, 'en' | 'zh'])[] = [
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['en', 'en'],
  ['de-DE,de;q=0.9', 'en'],
  ['zh', 'zh'],
  ['ZH-cn', 'zh'],
  ['zh-Hant-TW', 'zh'],
  ['zh-CN,zh;q=0.9', 'zh'],
  ['zh-CN,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'zh'],
  ['en-US,en;q=0.9,zh-CN;q=0.8', 'en'],
  ['en;q=0.5, zh ; q=0.6', 'zh'],
  ['zh,en', 'zh'],
  ['en,zh', 'en'],
  ['fr,zh;q=0.5', 'zh'],
  ['fr,zh;q=0.3,*;q=0.5', 'en'],
  ['zh;q=0', 'en'],
  ['zh;q=0.000,en;q=0', 'en'],
  ['zh;q=1.000', 'zh'],
  ['zh;q=2', 'en'],
  ['zh;q=x,en;q=0.1', 'en'],
  ['zh;q=1;level=1', 'en'],
  ['zhuang', 'en'],
  ['za, ,;,zh-CN;q=0.1', 'zh'],
  [`${'x,'.repeat(4_000)}zh`, 'zh'],
];
for (const [header, language] of cases)
  test(`${header === undefined ? 'no header' : JSON.stringify(header.slice(0, 60))} means ${language}`, () =>
    assert.equal(requestLanguage(header), language));
