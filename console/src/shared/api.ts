import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Carillon } from '../../../sdk/src/index.ts';
import { createClient } from './client.ts';
import { includesRole, type Role, type Session, type SessionApp, sessionQuery } from './session.ts';

export interface AppAccess {
  readonly api: Carillon;
  readonly app: SessionApp;
  /** Returns whether the operator has at least this role in the app. */
  readonly can: (role: Role | 'platform') => boolean;
}

/** Returns the API of the app in the address. Only pages below an app can use it. */
export function useApp(): AppAccess {
  const { appId } = useParams({ from: '/app/$appId' });
  const { data: session } = useSuspenseQuery(sessionQuery);
  return useMemo(() => {
    const app = findApp(session, appId);
    const api = createClient(session.csrf_token, appId);
    return { api, app, can: (role) => session.is_platform || (role !== 'platform' && includesRole(app.role, role)) };
  }, [session, appId]);
}

const findApp = ({ apps }: Session, appId: string): SessionApp =>
  apps.find(({ app_id }) => app_id === appId) ?? { app_id: appId, name: appId, role: 'viewer' };
