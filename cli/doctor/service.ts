import { Carillon } from '../../sdk/src/index.ts';
import { adviceForDemo } from '../demo-address.ts';
import type { Globals } from '../run-operation.ts';
import { checkCeilings } from './ceilings.ts';
import { codeOf, type Finding, findingOfClock, ok, reasonOf, wrong } from './finding.ts';
import { checkTls } from './tls.ts';
import { checkVendors, findingOfUnavailable, isUnavailable } from './vendors.ts';

const RESPONSE_MS_MAX = 10_000;
/** An arbitrary app ID, sent to check that the service receives the header. */
const PROBE_APP_ID = 'carillon-doctor';

/** Checks the service as a client reaches it, through all proxies. */
export async function* checkService(url: string, { app, token }: Globals): AsyncGenerator<Finding> {
  if (!URL.canParse(url)) {
    yield wrong('service', `"${url}" is not a valid URL.`, 'Use the form https://push.example.com.');
    return;
  }
  const { protocol, origin, hostname, port } = new URL(url);
  if (protocol === 'https:') {
    const finding = await checkTls('TLS', hostname, Number(port || 443));
    yield finding;
    if (finding.state === 'wrong') return;
  }
  const result = await probe(url, app ?? PROBE_APP_ID);
  if ('finding' in result) {
    yield result.finding;
    return;
  }
  if (isUnavailable(result.code)) {
    yield findingOfUnavailable(`${result.code} ${result.message}`);
    return;
  }
  yield ok('service', `${origin} responds.`);
  if (result.clock) yield result.clock;
  if (/app_id header is missing/.test(result.message)) {
    yield wrong(
      'headers',
      'The service does not receive the app_id header: a proxy drops headers with an underscore.',
      'In nginx, set `underscores_in_headers on;` in the http or server block and reload nginx. Until then, API calls fail.',
    );
    return;
  }
  yield ok('headers', 'The service receives the app_id header.');
  if (!app) return;
  if (result.code === 40000) {
    yield wrong(
      'app',
      `App ${app} does not exist.`,
      'Check --app, or CARILLON_APP_ID. Operators can list all apps with `carillon app list`.',
    );
    return;
  }
  yield ok('app', `App ${app} exists.`);
  if (!token) return;
  const client = new Carillon({ url, appId: app, token });
  yield* checkVendors(client);
  yield* checkCeilings(client);
}

interface ProbeResult {
  readonly code: number;
  readonly message: string;
  readonly clock: Finding | undefined;
}

/** Calls an operation that requires an app and a token, without a token. */
async function probe(url: string, appId: string): Promise<ProbeResult | { readonly finding: Finding }> {
  const startedAtMs = Date.now();
  let response: Response;
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}/admin/channel/list`, {
      method: 'POST',
      headers: { app_id: appId, 'content-type': 'application/json' },
      body: '{}',
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_MS_MAX),
    });
  } catch (error) {
    return {
      finding: wrong(
        'service',
        `${url} cannot be reached: ${reasonOf(error)}.`,
        adviceForDemo(url) ?? adviceFor(error),
      ),
    };
  }
  if (response.status >= 300 && response.status < 400) {
    const location = response.headers.get('location') ?? 'another URL';
    return {
      finding: wrong(
        'service',
        `${url} redirects to ${location}.`,
        'Set --url to that address. Redirects are not followed, because requests contain a token.',
      ),
    };
  }
  const envelope = await readEnvelope(response);
  if (!envelope) {
    const text = `The response from ${url} does not come from Carillon (HTTP ${response.status}).`;
    const advice =
      response.status === 502 || response.status === 504
        ? 'The proxy cannot reach the service. Check that the service is running, and its port (CARILLON_API_PORT).'
        : 'Check the URL, and the upstream address of the proxy.';
    return { finding: wrong('service', text, advice) };
  }
  const date = Date.parse(response.headers.get('date') ?? '');
  const middle = (startedAtMs + Date.now()) / 2;
  // The Date header has a resolution of one second.
  const clock = Number.isNaN(date)
    ? undefined
    : findingOfClock(
        'clock, service',
        "The service's clock",
        date + 500 - middle,
        500 + (Date.now() - startedAtMs) / 2,
      );
  return { ...envelope, clock };
}

async function readEnvelope(response: Response): Promise<{ code: number; message: string } | undefined> {
  try {
    const { code, message } = (await response.json()) as { code?: unknown; message?: unknown };
    return typeof code === 'number' ? { code, message: String(message ?? '') } : undefined;
  } catch {
    return undefined;
  }
}

function adviceFor(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ECONNREFUSED')
    return 'No process is listening on that address. Start the service, or check the host and port of --url.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host name cannot be resolved. Check --url and DNS.';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return 'This machine does not trust the TLS certificate. For a private certificate authority, set NODE_EXTRA_CA_CERTS=/path/ca.pem.';
  return 'Check --url, the firewall, and that the service is running.';
}
