import { startApi } from '#src/api/api.ts';
import { trustedProxies } from '#src/api/server.ts';
import { ceilingDefaultsOf } from '#src/storage/settings.ts';
import { readKeyrings, rolePurposes } from '../settings.ts';
import type { RoleModule } from './role-module.ts';

export const apiRole: RoleModule = {
  checkSettings: ({ seal, api }) => {
    readKeyrings(seal, rolePurposes.api);
    trustedProxies(api);
  },

  start: async ({ settings, ...parts }) => {
    const keyrings = readKeyrings(settings.seal, rolePurposes.api);
    const ceilings = ceilingDefaultsOf(settings.ceilings);
    const api = await startApi({ ...parts, settings: { ...settings.api, ...settings.vendors }, ceilings, keyrings });
    return { ports: { api: api.port }, drain: () => api.drain(), stop: () => api.stop() };
  },
};
