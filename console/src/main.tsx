import '@mantine/core/styles.css';
import './base.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import i18next from 'i18next';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CarillonUnreachable } from '../../sdk/src/index.ts';
import { createConsoleRouter } from './router.tsx';
import { startI18n } from './shared/i18n/i18n.ts';
import { isRefused, isSignedOut, sessionQuery } from './shared/session.ts';
import { cssVariables, theme } from './shared/theme.ts';

const RETRIES_MAX = 2;

// Styles that components create at run time need the nonce of the content security policy.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: checkSession }),
  mutationCache: new MutationCache({ onError: checkSession }),
  defaultOptions: {
    queries: {
      // Only an outage is worth another attempt: an error response would be the same again.
      retry: (failures, error) => error instanceof CarillonUnreachable && failures < RETRIES_MAX,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // Otherwise, a call without a network is sent later, when the operator no longer expects it.
    mutations: { networkMode: 'always' },
  },
});
const router = createConsoleRouter(queryClient);

/** Opens the sign-in page if a session ends while a page is open, and loads the session again if it may be another. */
function checkSession(error: unknown): void {
  const { pathname, href } = router.state.location;
  if (isRefused(error)) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  if (!isSignedOut(error) || pathname.endsWith('/sign-in')) return;
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  void router.navigate({ to: '/sign-in', search: { return_to: href } });
}

await startI18n();
// Responses contain explanations in the language of the request.
i18next.on('languageChanged', () => void queryClient.invalidateQueries());
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
