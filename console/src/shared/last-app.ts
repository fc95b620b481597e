import type { SessionApp } from './session.ts';

const STORAGE_KEY = 'carillon-app';

/** Returns the app that was last open in this browser, or the first one if the operator has no role in it. */
export const lastApp = (apps: readonly SessionApp[]): SessionApp | undefined =>
  apps.find(({ app_id }) => app_id === localStorage.getItem(STORAGE_KEY)) ?? apps[0];

export const rememberApp = (appId: string): void => localStorage.setItem(STORAGE_KEY, appId);
