import { registerHooks } from 'node:module';

/**
 * The simulation runs `src/worker`, `src/gateway` and `src/receipts` unchanged on simulated storage, timers and
 * vendors. An import of a module on the left loads the module on the right. The list contains only modules that wait,
 * store rows or call a vendor, and no module that makes decisions.
 */
const fakes: Readonly<Record<string, string>> = {
  'src/storage/database/database.ts': 'storage/database.ts',
  'src/storage/ledger/tasks.ts': 'storage/tasks.ts',
  'src/storage/ledger/slices.ts': 'storage/slices.ts',
  'src/storage/ledger/mark-slices.ts': 'storage/slices.ts',
  'src/storage/ledger/failed-work.ts': 'storage/failed-work.ts',
  'src/storage/ledger/app-turns.ts': 'storage/app-turns.ts',
  'src/storage/ledger/due-work.ts': 'storage/due-work.ts',
  'src/storage/ledger/lost-tasks.ts': 'storage/lost-tasks.ts',
  'src/storage/ledger/expansions.ts': 'storage/expansions.ts',
  'src/storage/ledger/audience-devices.ts': 'storage/expansions.ts',
  'src/storage/ledger/cancel.ts': 'storage/cancel.ts',
  'src/storage/devices/inbox.ts': 'storage/inbox.ts',
  'src/storage/devices/presence.ts': 'storage/presence.ts',
  'src/storage/devices/devices.ts': 'storage/devices.ts',
  'src/storage/devices/bindings.ts': 'storage/bindings.ts',
  'src/storage/devices/badges.ts': 'storage/badges.ts',
  'src/storage/accounts/certificates.ts': 'storage/certificates.ts',
  'src/storage/accounts/breakers.ts': 'storage/breakers.ts',
  'src/storage/accounts/last-responses.ts': 'storage/last-responses.ts',
  'src/storage/accounts/quota-usage.ts': 'storage/not-simulated.ts',
  'src/storage/accounts/quotas.ts': 'storage/quotas.ts',
  'src/storage/accounts/rates.ts': 'storage/quotas.ts',
  'src/storage/devices/aliases.ts': 'storage/not-simulated.ts',
  'src/storage/accounts/callbacks.ts': 'storage/not-simulated.ts',
  'src/storage/users/device-buckets.ts': 'storage/device-buckets.ts',
  'src/storage/users/groups.ts': 'storage/groups.ts',
  'src/storage/devices/tags.ts': 'storage/not-simulated.ts',
  'src/worker/upkeep/chain-audit.ts': 'storage/not-simulated.ts',
  'src/worker/upkeep/housekeeping.ts': 'storage/not-simulated.ts',
  'src/worker/upkeep/erase-users.ts': 'storage/not-simulated.ts',
  'src/worker/recall/recalls.ts': 'storage/not-simulated.ts',
  'src/vendors/sender.ts': 'environment/vendor-sender.ts',
  'src/worker/accounts/provider-token-store.ts': 'environment/vendor-sender.ts',
  'src/gateway/codec.ts': 'environment/codec.ts',
  'src/foundation/repeat.ts': 'environment/repeat.ts',
  'src/foundation/sealed-box.ts': 'environment/sealed-box.ts',
};

const root = new URL('../../../', import.meta.url).href;
const own = new URL('../', import.meta.url).href;
const replacements = new Map(Object.entries(fakes).map(([from, to]) => [root + from, own + to]));

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'node:timers/promises' && context.parentURL?.startsWith(`${root}src/`))
      return { url: `${own}environment/timers.ts`, shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    const replacement = replacements.get(resolved.url);
    return replacement ? { ...resolved, url: replacement, shortCircuit: true } : resolved;
  },
});
