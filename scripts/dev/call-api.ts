/** An app and the API that serves it. */
export interface DemoApi {
  readonly base_url: string;
  readonly app_id: string;
}

/** Calls the API. Returns `data`. Throws on every error, because the demo sends only valid requests. */
export async function callApi<T>(api: DemoApi, path: string, body: object, token?: string): Promise<T> {
  const response = await fetch(`${api.base_url}${path}`, {
    method: 'POST',
    headers: {
      app_id: api.app_id,
      'content-type': 'application/json',
      ...(token !== undefined && { 'access-token': token }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}
