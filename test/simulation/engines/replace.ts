import { registerHooks } from 'node:module';

/**
 * The simulator runs `src/worker`, `src/gateway` and `src/receipts` as they are, on engines of its own: whoever imports
 * the left gets the right. What takes time, keeps rows or calls a vendor is on this list, and nothing that decides.
 */
const engines: Readonly<Record<string, string>> = {
  'src/truth/database.ts': 'truth/database.ts',
  'src/truth/tasks.ts': 'truth/tasks.ts',
  'src/truth/slices.ts': 'truth/slices.ts',
  'src/truth/turns.ts': 'truth/turns.ts',
  'src/truth/due.ts': 'truth/due.ts',
  'src/truth/expansions.ts': 'truth/expansions.ts',
  'src/truth/cancel.ts': 'truth/cancel.ts',
  'src/truth/inbox.ts': 'truth/inbox.ts',
  'src/truth/presence.ts': 'truth/presence.ts',
  'src/truth/devices.ts': 'truth/devices.ts',
  'src/truth/bindings.ts': 'truth/bindings.ts',
  'src/truth/badges.ts': 'truth/badges.ts',
  'src/truth/certificates.ts': 'truth/certificates.ts',
  'src/truth/gates.ts': 'truth/gates.ts',
  'src/truth/quotas.ts': 'truth/quotas.ts',
  'src/truth/rates.ts': 'truth/quotas.ts',
  'src/truth/aliases.ts': 'truth/not-simulated.ts',
  'src/truth/callbacks.ts': 'truth/not-simulated.ts',
  'src/truth/groups.ts': 'truth/not-simulated.ts',
  'src/truth/tags.ts': 'truth/not-simulated.ts',
  'src/worker/keep-house.ts': 'truth/not-simulated.ts',
  'src/channels/vendors/send.ts': 'engines/vendor-sender.ts',
  'src/worker/provider-token-store.ts': 'engines/vendor-sender.ts',
  'src/gateway/codec.ts': 'engines/codec.ts',
  'src/foundation/repeat.ts': 'engines/repeat.ts',
  'src/foundation/sealed-box.ts': 'engines/sealed-box.ts',
};

const root = new URL('../../../', import.meta.url).href;
const own = new URL('../', import.meta.url).href;
const replacements = new Map(Object.entries(engines).map(([from, to]) => [root + from, own + to]));

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'node:timers/promises' && context.parentURL?.startsWith(`${root}src/`))
      return { url: `${own}engines/timers.ts`, shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    const replacement = replacements.get(resolved.url);
    return replacement ? { ...resolved, url: replacement, shortCircuit: true } : resolved;
  },
});
