import { startGateway } from '#src/gateway/gateway.ts';
import { checkListenerSettings } from '#src/gateway/listeners/listeners.ts';
import { ceilingDefaultsOf } from '#src/storage/settings.ts';
import type { RoleModule } from './role-module.ts';

export const gatewayRole: RoleModule = {
  checkSettings: ({ gateway }) => checkListenerSettings(gateway),

  start: async ({ settings, ...parts }) => {
    // A heartbeat must not queue behind other queries. A heartbeat that takes longer than a second counts as failed.
    const heartbeatStorage = parts.storage.openSeparately({
      settings: { CARILLON_DATABASE_QUERY_SECONDS_MAX: 1 },
      connections: 1,
    });
    const ceilings = ceilingDefaultsOf(settings.ceilings);
    const gateway = await startGateway({ ...parts, settings: settings.gateway, ceilings, heartbeatStorage });
    const { tcp, tls, webSocket } = gateway.ports;
    return {
      ports: { gateway: tcp, tls, webSocket },
      stop: (forceStop) => gateway.stop(forceStop).then(() => heartbeatStorage.close()),
    };
  },
};
