/** An app at an API that was just started. */
export interface DemoApi {
  readonly base_url: string;
  readonly app_id: string;
}

/** Calls it, and answers `data`. Whatever it says no to is a mistake of ours. */
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
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}
