import { type Field, type FieldRules, fieldRows, notText, type Row } from './row.ts';

const origins = (count: number): string[] => Array.from({ length: count }, (_, i) => `https://${i}.example.com`);

/** The setting `cors_origins` as a list. */
export const corsOrigins: Field = {
  name: 'cors_origins',
  takes: { 'up to 20 origins': [['https://shop.example.com'], origins(20)] },
  refuses: {
    'a value that is not a list': [10002, 'https://shop.example.com', 1, true, { a: 'b' }],
    'more than 20 origins': [12005, origins(21)],
  },
};

const item: Field = {
  name: 'cors_origins',
  takes: {
    'exact origins': [['https://shop.example.com'], ['http://localhost:5173'], ['https://xn--fsq.example:8443']],
    'an IP address': [['http://127.0.0.1:8080', 'http://[::1]:8080']],
  },
  refuses: {
    'a value that is not a string': [10002, ...notText.map((value) => [value]), [null]],
    'a blank string': [10002, [''], [' ']],
    'a wildcard': [10002, ['*'], ['https://*.example.com'], ['https://*']],
    'a string that is not an origin as browsers send it': [
      10002,
      ['null'],
      ['https://shop.example.com/'],
      ['https://Shop.example.com'],
      ['https://shop.example.com:443'],
      ['shop.example.com'],
      ['ftp://shop.example.com'],
      ['https://'],
    ],
    'none next to an origin': [10002, ['none', 'https://shop.example.com']],
    'more than 267 characters': [12009, [`https://${'x'.repeat(260)}`]],
  },
};

/** Returns the rows about the items of the list. Their path ends in `[]`, to distinguish them from rows about the list. */
export const corsOriginRows = (rules: FieldRules): Row[] =>
  fieldRows(rules, item)
    .filter(({ kind }) => kind !== 'blank')
    .map((row) => ({ ...row, rule: row.rule.replace('cors_origins', 'cors_origins[]'), path: `${row.path}[]` }));
