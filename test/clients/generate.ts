import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const GENERATOR = 'openapi-generator-cli';
const GENERATOR_VERSION = '7.14.0';

export type Language = 'python' | 'go' | 'java';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache/clients');
const run = promisify(execFile);

/** Generates and compiles the client of a language. Returns the command of the program that uses it. */
export async function buildClient(language: Language): Promise<readonly [file: string, ...args: string[]]> {
  const directory = join(cache, language);
  await rm(directory, { recursive: true, force: true });
  await generate(language, directory);
  return builders[language](directory);
}

const builders: Record<Language, (directory: string) => Promise<[string, ...string[]]>> = {
  python: async (directory) => {
    const environment = join(cache, 'python-environment');
    const program = join(environment, 'bin/python');
    if (!existsSync(program)) await run('python3', ['-m', 'venv', environment]);
    await run(program, ['-m', 'pip', 'install', '--quiet', '--requirement', join(directory, 'requirements.txt')]);
    await run(program, ['-m', 'compileall', '-q', join(directory, 'carillon_client')]);
    return ['env', `PYTHONPATH=${directory}`, program, programOf('push.py')];
  },
  go: async (directory) => {
    await mkdir(join(directory, 'push'));
    await copyFile(programOf('push.go'), join(directory, 'push/main.go'));
    await run('go', ['mod', 'edit', '-module', 'example.com/carillon'], { cwd: directory });
    await run('go', ['mod', 'tidy'], { cwd: directory });
    await run('go', ['build', '-o', 'push/push', './push'], { cwd: directory });
    return [join(directory, 'push/push')];
  },
  java: async (directory) => {
    const goals = [
      'compile',
      'dependency:copy-dependencies',
      '-DoutputDirectory=target/jars',
      '-DincludeScope=runtime',
    ];
    await run('mvn', ['--quiet', '--batch-mode', ...goals], { cwd: directory });
    const classpath = [join(directory, 'target/classes'), join(directory, 'target/jars/*')].join(':');
    await run('javac', ['-classpath', classpath, '-d', join(directory, 'target/classes'), programOf('Push.java')]);
    return ['java', '-classpath', classpath, 'Push'];
  },
};

/** Options of the generator. Without the first one, clients reject response fields that a later version adds. */
const options: Record<Language, string> = {
  python: 'disallowAdditionalPropertiesIfNotPresent=false,packageName=carillon_client',
  go: 'disallowAdditionalPropertiesIfNotPresent=false,packageName=carillon',
  java: 'disallowAdditionalPropertiesIfNotPresent=false,library=native,openApiNullable=false',
};

async function generate(language: Language, directory: string): Promise<void> {
  const jar = join(cache, `${GENERATOR}-${GENERATOR_VERSION}.jar`);
  if (!existsSync(jar)) {
    const artifact = `-Dartifact=org.openapitools:${GENERATOR}:${GENERATOR_VERSION}`;
    await run('mvn', ['--quiet', '--batch-mode', 'dependency:copy', artifact, `-DoutputDirectory=${cache}`]);
  }
  await run('java', [
    ...['-jar', jar, 'generate', '-g', language, '-i', join(root, 'docs/openapi.json'), '-o', directory],
    ...['--additional-properties', options[language]],
    ...['--global-property', 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'],
  ]);
}

const programOf = (file: string): string => join(root, 'test/clients', file);
