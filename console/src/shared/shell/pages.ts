import type { Role } from '../session.ts';

/** The pages of an app in the order of the navigation, with the role that each page needs. */
export const pages = [
  { to: '/app/$appId', name: 'overview', role: 'viewer' },
  { to: '/app/$appId/compose', name: 'compose', role: 'sender' },
  { to: '/app/$appId/tasks', name: 'tasks', role: 'viewer' },
  { to: '/app/$appId/drafts', name: 'drafts', role: 'viewer' },
  { to: '/app/$appId/find', name: 'find', role: 'viewer' },
  { to: '/app/$appId/users', name: 'users', role: 'viewer' },
  { to: '/app/$appId/groups', name: 'groups', role: 'viewer' },
  { to: '/app/$appId/channels', name: 'channels', role: 'viewer' },
  { to: '/app/$appId/credentials', name: 'credentials', role: 'viewer' },
  { to: '/app/$appId/tokens', name: 'tokens', role: 'viewer' },
  { to: '/app/$appId/settings', name: 'settings', role: 'viewer' },
  { to: '/app/$appId/audit', name: 'audit', role: 'viewer' },
  { to: '/app/$appId/operators', name: 'operators', role: 'platform' },
  { to: '/app/$appId/apps', name: 'apps', role: 'platform' },
] as const satisfies readonly { readonly to: string; readonly name: string; readonly role: Role | 'platform' }[];
