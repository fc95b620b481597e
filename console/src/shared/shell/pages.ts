import type { Role } from '../session.ts';

/** The sections of the navigation in their order. The first one has no heading. */
export const sections = ['start', 'send', 'people', 'setup', 'administration'] as const;

interface NavigationPage {
  readonly to: string;
  readonly name: string;
  /** The role that the page needs. */
  readonly role: Role | 'platform';
  readonly section: (typeof sections)[number];
}

/** The pages of an app in the order of the navigation. */
export const pages = [
  { to: '/app/$appId', name: 'overview', role: 'viewer', section: 'start' },
  { to: '/app/$appId/compose', name: 'compose', role: 'sender', section: 'send' },
  { to: '/app/$appId/tasks', name: 'tasks', role: 'viewer', section: 'send' },
  { to: '/app/$appId/drafts', name: 'drafts', role: 'viewer', section: 'send' },
  { to: '/app/$appId/find', name: 'find', role: 'viewer', section: 'people' },
  { to: '/app/$appId/users', name: 'users', role: 'viewer', section: 'people' },
  { to: '/app/$appId/groups', name: 'groups', role: 'viewer', section: 'people' },
  { to: '/app/$appId/channels', name: 'channels', role: 'viewer', section: 'setup' },
  { to: '/app/$appId/credentials', name: 'credentials', role: 'viewer', section: 'setup' },
  { to: '/app/$appId/tokens', name: 'tokens', role: 'viewer', section: 'setup' },
  { to: '/app/$appId/settings', name: 'settings', role: 'viewer', section: 'setup' },
  { to: '/app/$appId/audit', name: 'audit', role: 'viewer', section: 'administration' },
  { to: '/app/$appId/operators', name: 'operators', role: 'platform', section: 'administration' },
  { to: '/app/$appId/apps', name: 'apps', role: 'platform', section: 'administration' },
] as const satisfies readonly NavigationPage[];
