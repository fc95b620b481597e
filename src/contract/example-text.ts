import { stringifyJson } from '#src/foundation/json.ts';
import type { Example, Operation } from './operation.ts';

/** Operations whose examples need the token of a user. All other examples use an admin token. */
export const needsUserToken = ({ path }: Operation): boolean =>
  /^\/device\/|^\/token\/logout$|^\/user\/password$/.test(path);

/** Returns the curl command of an example. `npm run dev` writes its variables to `.dev.env`. */
export function exampleCommand(operation: Operation, { query, body }: Example): string {
  const { method, path, access, appless } = operation;
  const parameters = query ? `?${new URLSearchParams(query)}` : '';
  const lines = [
    `curl -X ${method} "$CARILLON_URL${path}${parameters}"`,
    (!appless || access === 'admin') && '-H "app_id: $CARILLON_APP_ID"',
    access === 'session' && '-b session.cookies -H "carillon-csrf: $(cat session.csrf)"',
    path === '/operator/login' && '-c session.cookies',
    access !== 'open' &&
      access !== 'session' &&
      `-H "access-token: $${needsUserToken(operation) ? 'CARILLON_USER_TOKEN' : 'CARILLON_ADMIN_TOKEN'}"`,
    body && '-H "content-type: application/json"',
    body && `-d '${printJson(body).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`,
  ].filter((line) => typeof line === 'string');
  return lines.join(' \\\n  ');
}

export const exampleResponse = ({ data }: Example): string => printJson({ code: 200, data, message: null });

/** Prints JSON with lists of plain values on one line. */
const printJson = (value: unknown): string =>
  stringifyJson(value, 2).replaceAll(
    /\[\n\s+([^[\]{}]*?)\n\s*\]/g,
    (_, items: string) => `[${items.replaceAll(/,\n\s+/g, ', ')}]`,
  );
