import { examineNats, type NatsFacts } from '#src/signals/server-facts.ts';
import type { MotionSettings } from '#src/signals/signals.ts';
import { codeOf, type Finding, ok, reasonOf, warning, wrong } from '../finding.ts';

/** Looks at each NATS server that is named. */
export async function* checkNats(settings: MotionSettings): AsyncGenerator<Finding> {
  const urls = settings.CARILLON_NATS_URLS.split(',');
  const looks = await Promise.allSettled(urls.map((url) => examineNats(url, settings)));
  const facts = looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
  for (const [index, look] of looks.entries()) {
    if (look.status === 'fulfilled') continue;
    const text = `${urls[index]} cannot be used: ${reasonOf(look.reason)}.`;
    // Whoever has one of several goes on with it, and without any by looking into PostgreSQL, only slower.
    yield facts.length > 0 ? warning('NATS', text, adviceOn(look.reason)) : wrong('NATS', text, adviceOn(look.reason));
  }
  if (facts.length > 0) yield findingOfCluster(facts);
}

function findingOfCluster(facts: readonly NatsFacts[]): Finding {
  const [{ version, cluster, roundMs }] = facts as [NatsFacts];
  const servers = Math.max(...facts.map((one) => one.servers));
  const answered = `${facts.length} ${facts.length === 1 ? 'server answers' : 'servers answer'}, version ${version}, a message takes ${roundMs.toFixed(1)} ms`;
  const apart = new Set(facts.map((one) => one.serverId)).size;
  if (apart > 1 && servers < apart)
    return wrong(
      'NATS',
      `${answered}, but they are no cluster: what one is told the others do not hear.`,
      'Name each other in their `cluster { routes = […] }`.',
    );
  return ok('NATS', `${answered}; ${cluster === undefined ? 'it stands alone' : `a cluster of ${servers}`}.`);
}

function adviceOn(error: unknown): string {
  const [code, reason] = [codeOf(error), reasonOf(error)];
  if (code === 'ECONNREFUSED' || /refused/i.test(reason))
    return 'Nobody listens there: start nats-server, or check CARILLON_NATS_URLS.';
  if (/authorization|authentication/i.test(reason)) return 'Check CARILLON_NATS_USER and CARILLON_NATS_PASSWORD.';
  if (/permission/i.test(reason)) return 'Allow the user to publish and subscribe below CARILLON_NATS_PREFIX.';
  return 'Check CARILLON_NATS_URLS, and whether NATS is reachable from here. Until then everything goes on, but more slowly.';
}
