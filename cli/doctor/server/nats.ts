import { type NatsFacts, readNatsFacts } from '#src/signals/server-facts.ts';
import type { SignalsSettings } from '#src/signals/signals.ts';
import { codeOf, type Finding, ok, reasonOf, warning, wrong } from '../finding.ts';

/** Checks each configured NATS server. */
export async function* checkNats(settings: SignalsSettings): AsyncGenerator<Finding> {
  const urls = settings.CARILLON_NATS_URLS.split(',');
  const results = await Promise.allSettled(urls.map((url) => readNatsFacts(url, settings)));
  const facts = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') continue;
    const text = `${urls[index]} cannot be used: ${reasonOf(result.reason)}.`;
    // One unavailable server is only a warning, because processes use any available server. Without NATS, processes
    // poll PostgreSQL, which is slower.
    yield facts.length > 0
      ? warning('NATS', text, adviceFor(result.reason))
      : wrong('NATS', text, adviceFor(result.reason));
  }
  if (facts.length > 0) yield findingOfCluster(facts);
}

function findingOfCluster(facts: readonly NatsFacts[]): Finding {
  const [{ version, cluster, roundTripMs }] = facts as [NatsFacts];
  const servers = Math.max(...facts.map((fact) => fact.serverCount));
  const answered = `${facts.length} ${facts.length === 1 ? 'server responds' : 'servers respond'}, version ${version}, round trip ${roundTripMs.toFixed(1)} ms`;
  const serverCount = new Set(facts.map((fact) => fact.serverId)).size;
  if (serverCount > 1 && servers < serverCount)
    return wrong(
      'NATS',
      `${answered}, but the servers do not form a cluster: messages to one server do not reach the others.`,
      'Add the other servers to `cluster { routes = […] }` of each server.',
    );
  return ok('NATS', `${answered}; ${cluster === undefined ? 'a single server' : `a cluster of ${servers}`}.`);
}

function adviceFor(error: unknown): string {
  const [code, reason] = [codeOf(error), reasonOf(error)];
  if (code === 'ECONNREFUSED' || /refused/i.test(reason))
    return 'No process is listening on that address. Start nats-server, or check CARILLON_NATS_URLS.';
  if (/authorization|authentication/i.test(reason)) return 'Check CARILLON_NATS_USER and CARILLON_NATS_PASSWORD.';
  if (/permission/i.test(reason))
    return 'Allow the user to publish to and subscribe to subjects below CARILLON_NATS_PREFIX.';
  return 'Check CARILLON_NATS_URLS, and that NATS is reachable from this machine. Until then, processes poll PostgreSQL, which is slower.';
}
