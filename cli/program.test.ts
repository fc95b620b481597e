import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import { operations } from '../sdk/src/index.ts';
import { commandTreeOf } from './completion/command-tree.ts';
import { createProgram, isForBrowsers, topics, wordsOf } from './program.ts';

const program = createProgram();
const every = Object.values(operations).filter((operation) => !isForBrowsers(operation));
/**
 * All commands, also with each choice of their arguments. A command comes before its subcommands, so the last match is
 * the most specific.
 */
const places = commandTreeOf(program);

const commandOf = (words: readonly string[]): Command | undefined =>
  words.reduce<Command | undefined>((at, word) => at?.commands.find((command) => command.name() === word), program);

describe('commands for operations', () => {
  test('have unique names', () => {
    const names = every.map((operation) => wordsOf(operation).join(' '));
    assert.ok(names.length >= 46);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index || name in topics),
      [],
    );
    assert.deepEqual(
      names.filter((name) => !commandOf(name.split(' '))),
      [],
    );
  });

  test('have an option for every field', () => {
    const wrong = every.flatMap((operation) => {
      const options = commandOf(wordsOf(operation))?.options ?? [];
      const expected = operation.fields.length === 0 ? 0 : operation.fields.length + 1;
      return options.length === expected ? [] : [operation.path];
    });
    assert.deepEqual(wrong, []);
  });

  test('do not hide a global option', () => {
    const everywhere = new Set(program.options.map(({ long }) => long));
    const hiding = every.flatMap((operation) =>
      (commandOf(wordsOf(operation))?.options ?? [])
        .filter(({ long }) => everywhere.has(long))
        .map(({ long }) => `${operation.path} ${long}`),
    );
    assert.deepEqual(hiding, []);
  });

  test('have a description for every topic', () => {
    const used = new Set(
      every.flatMap((operation) => {
        const words = wordsOf(operation).slice(0, -1);
        return words.map((_, index) => words.slice(0, index + 1).join(' '));
      }),
    );
    assert.deepEqual([...used].sort(), Object.keys(topics).sort());
  });
});

describe('help', () => {
  const helpOf = (...words: string[]): string => {
    let help = '';
    const command = commandOf(words) as Command;
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 });
    command.outputHelp();
    return help;
  };

  test('fits 80 columns, except for examples', () => {
    const long = places
      .map(({ path }) => path.split(' ').filter((word) => word !== ''))
      .filter((words) => words[0] !== 'help' && commandOf(words) !== undefined)
      .flatMap((words) =>
        helpOf(...words)
          .split('\n')
          .filter((line) => line.length > 80 && !line.startsWith('  carillon ')),
      );
    assert.deepEqual(long, []);
  });

  test('lists topics, global options, exit codes and examples', () => {
    const help = helpOf();
    for (const topic of Object.keys(topics))
      if (!topic.includes(' ')) assert.match(help, new RegExp(`^ {2}${topic} `, 'm'));
    for (const word of [
      'CARILLON_URL',
      'CARILLON_APP_ID',
      'CARILLON_ADMIN_TOKEN',
      '--as-user',
      'Exit codes',
      'Examples',
    ])
      assert.ok(help.includes(word), word);
  });

  test('matches the commands and options in the documentation', () => {
    const texts = [
      'README.md',
      'docs/reference/cli.md',
      'sdk/README.md',
      'examples/device-page/README.md',
      'simulators/README.md',
    ]
      .map((path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
      .concat(helpOf());
    const examples = texts.flatMap((text) => [
      ...text.matchAll(/^(?:.*; )? *(?:npx |node cli\/)?carillon(?:\.ts)? ([^#\n]*)/gm),
      ...text.matchAll(/`(?:npx )?carillon ([^`]*)`/g),
    ]);
    assert.ok(examples.length >= 20, `${examples.length} examples`);
    const wrong = examples.flatMap(([whole, line = '']) => {
      const words = line.split(' ').filter(Boolean);
      const place = places.findLast(({ path }) => `${words.join(' ')} `.startsWith(`${path} `));
      const options = words.filter((word) => word.startsWith('--')).map((word) => word.replace(/\W+$/, ''));
      const optionNames = place?.options.map(({ word }) => word) ?? [];
      return place?.path && place.words.length === 0 && options.every((option) => optionNames.includes(option))
        ? []
        : options.join() === '--help'
          ? []
          : [whole];
    });
    assert.deepEqual(wrong, []);
  });

  test('of a command describes its fields, whether they are required, and fields inside objects', () => {
    const help = helpOf('push', 'notify');
    assert.match(help, /--message <json> +Content of the notification; must not be blank\.\s+\(required\)/);
    assert.match(help, /Fields of --audience:\n {2}tag +Devices that have/);
    assert.match(help, /Global Options:[\s\S]+--as-group/);
  });
});
