import type { CallerName } from './callers.ts';
import type { OwnApp } from './own-app.ts';
import type { Row } from './rows.ts';

const manages: readonly CallerName[] = ['manage', '*', 'an admin for a user'];
const honor = { name: 'Honor', app_id: '104400151', app_key: 'client-id', app_secret: 'client-secret' };
const HUAWEI = 2;
const HONOR = 8;

/** Names the saved credentials of our app, or those of the other app. */
const certificateRequest: Row = {
  allowedCallers: manages,
  validRequest: async (ours: OwnApp) => {
    await ours.saveHonor();
    return { provider: HONOR };
  },
  foreignRequests: ({ provider }) => [{ body: { provider }, code: 12007 }],
};

/** The operations on vendor credentials and on the channels that use them. */
export const certificateRows: Readonly<Record<string, Row>> = {
  '/admin/certificate/save': { allowedCallers: manages, validRequest: () => ({ provider: HONOR, ...honor }) },
  '/admin/certificate/list': { allowedCallers: manages, validRequest: () => ({}) },
  '/admin/certificate/check': certificateRequest,
  '/admin/certificate/delete': certificateRequest,
  '/admin/certificate/callback': {
    allowedCallers: ['secrets', '*', 'an admin for a user'],
    // Both apps have a callback. Only the callback of our app is renewed.
    validRequest: () => ({ provider: HUAWEI, renew: true }),
  },
  '/admin/channel/list': { allowedCallers: manages, validRequest: () => ({}) },
  '/admin/channel/resume': certificateRequest,
};
