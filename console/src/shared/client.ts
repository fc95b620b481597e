import { Carillon } from '../../../sdk/src/index.ts';

/** Returns a client that identifies itself with the session cookie instead of an access token. */
export const createClient = (csrfToken: string, appId: string): Carillon =>
  new Carillon({
    url: location.origin,
    appId,
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        credentials: 'same-origin',
        headers: { ...(init?.headers as Record<string, string>), 'carillon-csrf': csrfToken },
      }),
  });
