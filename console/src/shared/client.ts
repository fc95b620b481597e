import i18next from 'i18next';
import { Carillon } from '../../../sdk/src/index.ts';
import { adjustClock } from './server-clock.ts';

/**
 * Returns a client that identifies itself with the session cookie instead of an access token. It asks for explanations
 * in the language of the console, which can differ from that of the browser.
 */
export const createClient = (csrfToken: string, appId: string): Carillon =>
  new Carillon({
    url: location.origin,
    appId,
    fetch: async (url, init) => {
      const response = await fetch(url, {
        ...init,
        credentials: 'same-origin',
        headers: {
          ...(init?.headers as Record<string, string>),
          'carillon-csrf': csrfToken,
          'accept-language': i18next.language,
        },
      });
      adjustClock(response.headers.get('date'));
      return response;
    },
  });
