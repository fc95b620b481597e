import { Carillon } from '../../sdk/src/index.ts';
import type { Globals } from '../run-operation.ts';
import { codeOf, type Finding, findingOfClock, ok, reasonOf, wrong } from './finding.ts';
import { checkTls } from './tls.ts';
import { checkVendors } from './vendors.ts';

const RESPONSE_MS_MAX = 10_000;
/** An arbitrary app ID, sent to check that the service receives the header. */
const PROBE_APP_ID = 'carillon-doctor';

/** Checks the service as a client reaches it, through all proxies. */
export async function* checkService(url: string, { app, token }: Globals): AsyncGenerator<Finding> {
  if (!URL.canParse(url)) {
    yield wrong('service', `"${url}" is no address.`, 'Write it as https://push.example.com.');
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
  yield ok('service', `${origin} answers.`);
  if (result.clock) yield result.clock;
  if (/header app_id is missing/.test(result.message)) {
    yield wrong(
      'headers',
      'The header app_id does not arrive: something in front of the service drops headers with an underscore.',
      'In nginx say `underscores_in_headers on;` in the http or the server block, and reload it. The service is of no use until then.',
    );
    return;
  }
  yield ok('headers', 'The header app_id arrives.');
  if (!app) return;
  if (result.code === 40000) {
    yield wrong(
      'app',
      `There is no app ${app}.`,
      'Check --app, or CARILLON_APP_ID. Operators see all apps with `carillon app list`.',
    );
    return;
  }
  yield ok('app', `There is the app ${app}.`);
  if (token) yield* checkVendors(new Carillon({ url, appId: app, token }));
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
    return { finding: wrong('service', `${url} cannot be reached: ${reasonOf(error)}.`, adviceFor(error)) };
  }
  if (response.status >= 300 && response.status < 400) {
    const location = response.headers.get('location') ?? 'another place';
    return {
      finding: wrong(
        'service',
        `${url} sends us on to ${location}.`,
        'Give that address as --url: no redirect is followed with a token.',
      ),
    };
  }
  const envelope = await readEnvelope(response);
  if (!envelope) {
    const text = `${url} is answered by something else (HTTP ${response.status}).`;
    const advice =
      response.status === 502 || response.status === 504
        ? 'The proxy does not reach the service: look whether it runs, and at which port (CARILLON_API_PORT).'
        : 'Check the address, and to where the proxy hands its requests on.';
    return { finding: wrong('service', text, advice) };
  }
  const date = Date.parse(response.headers.get('date') ?? '');
  const middle = (startedAtMs + Date.now()) / 2;
  // The header has a resolution of one second.
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
  if (code === 'ECONNREFUSED') return 'Nobody listens there: start the service, or check host and port of --url.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The name is not known: check --url, or the DNS.';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return 'Its certificate is not trusted here. With an authority of your own: NODE_EXTRA_CA_CERTS=/path/ca.pem.';
  return 'Check --url, the firewall, and whether the service runs.';
}
