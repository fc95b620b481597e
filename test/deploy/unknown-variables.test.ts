import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownVariables } from '#src/bin/settings.ts';
import { createProgram } from '../../cli/program.ts';

test('a role reports a misspelled setting, but no variable of the command line', () => {
  const options = createProgram().options.flatMap(({ envVar }) => (envVar === undefined ? [] : [envVar]));
  assert.ok(options.length >= 3);
  const environment = Object.fromEntries(
    [...options, 'CARILLON_LOG_LEVEL', 'CARILLON_LOG_LEVLE'].map((name) => [name, 'x']),
  );
  assert.deepEqual(unknownVariables(environment), ['CARILLON_LOG_LEVLE']);
});
