import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Language, languages } from '#src/domain/language/language.ts';
import { noteTexts } from './note-texts.ts';
import type { NoteTexts } from './note-texts-en.ts';

type Parameters<T> = T extends (...parameters: infer P) => string ? P : readonly [];

const cap = { usual: 71, news: 72 };

/** Parameters of each sentence. They must occur in every language. */
const samples: { readonly [K in keyof NoteTexts]: Parameters<NoteTexts[K]> } = {
  unreadable: [],
  endsTooSoon: [],
  textCut: [81, 82, 'LIMIT'],
  dataOmitted: ['ext', 'LIMIT'],
  charactersLimit: ['oppo', 81],
  bytesLimit: ['oppo', 81],
  titleCut: [81],
  bigTextCut: [81],
  bigTextHidden: ['oppo'],
  noImages: ['oppo'],
  onlyHttpsImages: ['oppo'],
  onlyOwnImages: ['oppo'],
  onlyBroadcastImages: ['oppo'],
  noDataOnly: ['oppo'],
  bodyRequired: ['oppo'],
  titleAndBodyRequired: ['oppo'],
  intentTooLong: ['oppo', 81],
  dataTooLong: ['oppo', 81],
  tooLarge: ['oppo', 81],
  tooLargeWithoutText: ['oppo', 81],
  perhapsTooLarge: ['oppo', 81],
  dataHeld: ['oppo'],
  testMessageOfApp: [81],
  testMessageOfProject: [81],
  apnsDataOnly: [81, 82],
  fcmDataOnly: [],
  huaweiNoClass: [cap],
  huaweiMarketing: [cap],
  huaweiLow: [],
  harmonyNoClass: [cap],
  harmonyMarketing: [cap],
  honorUnknownClass: ['IM', 'NORMAL'],
  honorLow: [cap],
  honorLowImage: [],
  honorNoImportance: [cap],
  xiaomiNoChannel: [81],
  xiaomiNoTemplate: ['CHANNEL'],
  xiaomiPublic: [cap],
  xiaomiOtherVariables: ['NAMES', 'EXPECTED'],
  oppoNoClass: [cap],
  oppoLevelOmitted: [],
  oppoMarketing: ['NEWS', cap],
  oppoDefaultLevel: ['NEWS'],
  vivoTestMessage: ['10,000'],
  vivoClassificationIgnored: ['NEWS'],
  vivoCategoryIgnored: ['IM'],
  vivoOperational: [cap, '07:00', '23:00'],
  vivoNoClass: [],
  flymePublic: [cap],
  webPushNoPage: [],
  webPushLowUrgency: ['very-low'],
};

function render(key: string, language: Language): string {
  const text = noteTexts[language][key as keyof NoteTexts] as string | ((...values: unknown[]) => string);
  return typeof text === 'string' ? text : text(...samples[key as keyof NoteTexts]);
}

/** Returns the texts that a parameter must add to a sentence. */
function shownTexts(parameter: unknown): string[] {
  if (parameter === 'oppo') return ['OPPO'];
  if (parameter === cap) return Object.values(cap).map(String);
  return [String(parameter)];
}

describe('Chinese notes about a message', () => {
  for (const [key, parameters] of Object.entries(samples))
    test(`${key} has the parameters of the English note, and no English words`, () => {
      for (const shown of parameters.flatMap(shownTexts))
        for (const language of languages)
          assert.ok(render(key, language).includes(shown), `${render(key, language)} has no ${shown}`);
      assert.match(render(key, 'zh'), key.endsWith('Limit') ? /\p{Script=Han}[^。]*$/u : /\p{Script=Han}.*。$/u);
      assert.doesNotMatch(render(key, 'zh').replace('service worker', ''), /[a-z]+ [a-z]+/, 'contains English words');
    });

  test('name each field that the English note names', () => {
    const FIELD = /[a-z]+[._][a-z_]+/g;
    for (const key of Object.keys(samples))
      assert.deepEqual(new Set(render(key, 'zh').match(FIELD)), new Set(render(key, 'en').match(FIELD)), key);
  });
});
