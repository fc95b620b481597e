import { Button, Center } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { toAuditSearch } from './pages/audit/audit-search.ts';
import { isVendorChannel } from './pages/credentials/vendor-forms.ts';
import { toDraftSearch } from './pages/drafts/draft-search.ts';
import { NoAppsPage } from './pages/no-apps-page.tsx';
import { type HistoryRange, historyRanges } from './pages/overview/history/daily-counts.ts';
import { toTaskSearch } from './pages/tasks/task-search.ts';
import { type ChannelName, channelNames } from './shared/channels.ts';
import { toDevelopmentSearch } from './shared/development-search.ts';
import { loadAllTexts } from './shared/i18n/i18n.ts';
import { isId } from './shared/ids.ts';
import { lastApp } from './shared/last-app.ts';
import { EmptyState, ErrorState, LoadingState } from './shared/query-states.tsx';
import { isSignedOut, sessionQuery } from './shared/session.ts';
import { Shell } from './shared/shell/shell.tsx';

/** Loads a page, and the texts that the first page does not need. */
const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazyRouteComponent(async () => (await Promise.all([load(), loadAllTexts()]))[0], name);

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search): { return_to?: string } => localPath(search.return_to),
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

/** Returns the path to open after the sign-in. An address of another site is ignored. */
function localPath(path: unknown): { return_to?: string } {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path) ? { return_to: path } : {};
}

/** Loads the session. Without one, the sign-in page opens and returns to this address afterwards. */
async function requireSession({
  context,
  location,
}: {
  context: { queryClient: QueryClient };
  location: { href: string };
}) {
  try {
    return await context.queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    throw redirect({ to: '/sign-in', search: { return_to: location.href } });
  }
}

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async (options) => {
    const { apps } = await requireSession(options);
    const app = lastApp(apps);
    if (app) throw redirect({ to: '/app/$appId', params: { appId: app.app_id } });
  },
  component: NoAppsPage,
});

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/$appId',
  beforeLoad: async (options) => void (await requireSession(options)),
  component: Shell,
  // The frame stays when the app changes, so that the app switcher keeps the focus.
  remountDeps: () => undefined,
});

const overviewRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  validateSearch: ({ days, channel }): { days?: HistoryRange; channel?: ChannelName } => ({
    ...(historyRanges.some((range) => range === days) && { days: days as HistoryRange }),
    ...(channelNames.some((name) => name === channel) && { channel: channel as ChannelName }),
  }),
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});

const composeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/compose',
  component: page(() => import('./pages/compose/compose-page.tsx'), 'ComposePage'),
});

const tasksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/tasks',
  validateSearch: toTaskSearch,
  component: page(() => import('./pages/tasks/tasks-page.tsx'), 'TasksPage'),
});

const taskRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/tasks/$taskId',
  params: {
    parse: ({ taskId }) => {
      if (!isId(taskId)) throw new Error(`The task ID must be a number (${taskId}).`);
      return { taskId };
    },
  },
  component: page(() => import('./pages/tasks/task-page.tsx'), 'TaskPage'),
});

const findRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/find',
  validateSearch: (search): FindSearch => {
    const texts = ['text', 'push_token'].filter((name) => typeof search[name] === 'string');
    const ids = ['user_id', 'task_id', 'after'].filter((name) => isId(search[name]));
    return Object.fromEntries([...texts, ...ids].map((name) => [name, search[name]]));
  },
  component: page(() => import('./pages/find/find-page.tsx'), 'FindPage'),
});

/** The text that was searched, the selected user or device, the selected task, and the position in the list. */
interface FindSearch {
  text?: string;
  user_id?: string;
  push_token?: string;
  task_id?: string;
  after?: string;
}

const draftsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/drafts',
  validateSearch: toDraftSearch,
  component: page(() => import('./pages/drafts/drafts-page.tsx'), 'DraftsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/audit',
  validateSearch: toAuditSearch,
  component: page(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/users',
  validateSearch: ({ after }): { after?: string } => (isId(after) ? { after } : {}),
  component: page(() => import('./pages/users/users-page.tsx'), 'UsersPage'),
});

const userRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/users/$userId',
  params: {
    parse: ({ userId }) => {
      if (!isId(userId)) throw new Error(`The user ID must be a number (${userId}).`);
      return { userId };
    },
  },
  component: page(() => import('./pages/users/user-page.tsx'), 'UserPage'),
});

const tokensRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/tokens',
  component: page(() => import('./pages/tokens/tokens-page.tsx'), 'TokensPage'),
});

const operatorsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/operators',
  validateSearch: ({ after }): { after?: string } => (isId(after) ? { after } : {}),
  component: page(() => import('./pages/operators/operators-page.tsx'), 'OperatorsPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/account',
  component: page(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
});

const channelsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/channels',
  validateSearch: toDevelopmentSearch,
  component: page(() => import('./pages/channels/channels-page.tsx'), 'ChannelsPage'),
});

const credentialsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/credentials',
  validateSearch: toDevelopmentSearch,
  component: page(() => import('./pages/credentials/credentials-page.tsx'), 'CredentialsPage'),
});

const appsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/apps',
  component: page(() => import('./pages/apps/apps-page.tsx'), 'AppsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  component: page(() => import('./pages/apps/settings-page.tsx'), 'SettingsPage'),
});

const groupsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/groups',
  validateSearch: ({ after }): { after?: string } => (isId(after) ? { after } : {}),
  component: page(() => import('./pages/groups/groups-page.tsx'), 'GroupsPage'),
});

const groupRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/groups/$groupId',
  params: {
    parse: ({ groupId }) => {
      if (!isId(groupId)) throw new Error(`The group ID must be a number (${groupId}).`);
      return { groupId };
    },
  },
  validateSearch: ({ after }): { after?: string } => (isId(after) ? { after } : {}),
  component: page(() => import('./pages/groups/group-page.tsx'), 'GroupPage'),
});

const credentialRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/credentials/$channel',
  params: {
    parse: ({ channel }) => {
      if (!isVendorChannel(channel)) throw new Error(`The channel does not exist (${channel}).`);
      return { channel };
    },
  },
  validateSearch: ({ environment }): { environment?: '0' } => (environment === '0' ? { environment } : {}),
  component: page(() => import('./pages/credentials/setup-page.tsx'), 'SetupPage'),
});

export const createConsoleRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree: rootRoute.addChildren([
      signInRoute,
      homeRoute,
      appRoute.addChildren([
        overviewRoute,
        composeRoute,
        tasksRoute,
        taskRoute,
        findRoute,
        draftsRoute,
        channelsRoute,
        credentialsRoute,
        credentialRoute,
        usersRoute,
        userRoute,
        tokensRoute,
        operatorsRoute,
        auditRoute,
        accountRoute,
        appsRoute,
        settingsRoute,
        groupsRoute,
        groupRoute,
      ]),
    ]),
    basepath: '/console',
    context: { queryClient },
    // Values stay strings: the default would parse a 64-bit ID as a number and lose digits.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(Object.entries(search).filter(([, value]) => value !== undefined)).toString();
      return text === '' ? '' : `?${text}`;
    },
    defaultPreload: 'intent',
    // A page must not show the state of another app, task, user or group, such as its counters or the result of a dialog.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
    defaultPendingComponent: LoadingState,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: NotFoundPage,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

function FailedPage({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const { t } = useTranslation();
  return (
    <Center mih="50vh" p="md">
      <ErrorState error={error} title={t('common.unexpected')} retry={reset} />
    </Center>
  );
}

function NotFoundPage() {
  const { t } = useTranslation();
  useDocumentTitle(`${t('app.notFound')} · Carillon`);
  return (
    <Center mih="50vh">
      <EmptyState title={t('app.notFound')} hint={t('app.notFoundHint')} isPage>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('app.toOverview')}</Button>
      </EmptyState>
    </Center>
  );
}
