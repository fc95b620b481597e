const RESPONSE_MS_MAX = 10_000;

/** Returns the version of the service from its OpenAPI document, or `unknown` if a proxy does not pass the document. */
export async function readServiceVersion(url: string): Promise<string> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/openapi.json`, {
      redirect: 'error',
      signal: AbortSignal.timeout(RESPONSE_MS_MAX),
    });
    const { info } = (await response.json()) as { info?: { version?: unknown } };
    const version = info?.version;
    return typeof version === 'string' && /^[\w.+-]{1,40}$/.test(version) ? version : 'unknown';
  } catch {
    return 'unknown';
  }
}
