import { type OperationPath, stringifyJson } from '../../../sdk/src/index.ts';

/** A call of the API, as a program would make it. */
export interface ApiCall {
  readonly path: OperationPath;
  readonly request: object;
}

export type SampleLanguage = 'curl' | 'TypeScript' | 'CLI';

/** Returns the call in each language. The samples read the admin token from the environment. */
export function samplesOf({ path, request }: ApiCall, url: string, appId: string): Record<SampleLanguage, string> {
  return {
    curl: [
      `curl ${shellWord(url + path)}`,
      `-H ${shellWord(`app_id: ${appId}`)}`,
      `-H "access-token: $CARILLON_ADMIN_TOKEN"`,
      "-H 'content-type: application/json'",
      `-d ${shellWord(stringifyJson(request))}`,
    ].join(' \\\n  '),
    TypeScript: `import { Carillon } from '@carillon/sdk';

const carillon = new Carillon({
  url: ${JSON.stringify(url)},
  appId: ${JSON.stringify(appId)},
  token: process.env.CARILLON_ADMIN_TOKEN,
});
console.log(await carillon${path.replaceAll('/', '.')}(${toTypeScript(request)}));`,
    CLI: [
      `carillon ${commandOf(path)}`,
      `--url ${shellWord(url)}`,
      `--app ${shellWord(appId)}`,
      ...(Object.keys(request).length > 0 ? [`--request ${shellWord(stringifyJson(request))}`] : []),
    ].join(' \\\n  '),
  };
}

/** Returns the words of the command, such as `task report` for `/push/task/report`. A test compares them with the CLI. */
export const commandOf = (path: string): string =>
  path
    .replace(/^\/user\/password$/, '/user/change-password')
    .replace(/^\/admin\/lookup$/, '/find')
    .replace(/^\/operator\/role\/set$/, '/operator/role')
    .replace(/^\/(admin\/|push\/(?=(?:task|draft|statistics)\/))?/, '')
    .replaceAll('/', ' ');

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Prints a request as TypeScript. Bigints need a suffix. */
function toTypeScript(request: object): string {
  if (Object.keys(request).length === 0) return '';
  const mark = 'carillon-bigint:';
  const text = JSON.stringify(request, (_key, value) => (typeof value === 'bigint' ? `${mark}${value}` : value), 2);
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1n').replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:');
}
