/** Values with which an operator signs in. */
export interface OperatorLogin {
  readonly email: string;
  readonly password: string;
}

/** The operators who work with the platform operator, and their roles in the app. */
const team = [
  { name: 'Mei', email: 'mei@example.com', password: 'mei-password', role: 'sender' },
  { name: 'Jonas', email: 'jonas@example.com', password: 'jonas-password', role: 'admin' },
  { name: 'Priya', email: 'priya@example.com', password: 'priya-password', role: 'viewer' },
] as const;

const groups = [
  { group_id: 1, name: 'Loyal customers', firstUser: 200_000, members: 120 },
  { group_id: 2, name: 'Shanghai store', firstUser: 200_100, members: 45 },
] as const;

const tokens = [
  { name: 'order backend', scopes: ['push'], days: 365 },
  { name: 'user import', scopes: ['manage'], days: 30 },
] as const;

/** Sends to more devices than this need a second operator. */
const APPROVAL_ABOVE = 10_000;

/**
 * Adds what people of a team create: operators, groups, admin tokens, a limit for approvals, a rejected draft and one
 * that waits for approval. All of it goes through the API, so that the audit log names the operators.
 */
export async function createTeam(baseUrl: string, appId: string, platform: OperatorLogin): Promise<void> {
  const cleo = await Session.start(baseUrl, platform, appId);
  for (const { role, ...operator } of team) {
    const { operator_id } = await cleo.call<{ operator_id: number }>('/operator/create', operator);
    await cleo.call('/operator/role/set', { operator_id, app_id: appId, role });
  }
  const jonas = await Session.start(baseUrl, team[1], appId);
  await jonas.call('/admin/app/update', { approval_above: APPROVAL_ABOVE });
  for (const { group_id, name, firstUser, members } of groups) {
    await jonas.call('/admin/group/create', { group_id, name });
    await jonas.call('/admin/group/add', { group_id, list: Array.from({ length: members }, (_, i) => firstUser + i) });
  }
  for (const token of tokens) await jonas.call('/admin/token/create', token);

  const mei = await Session.start(baseUrl, team[0], appId);
  const { draft_id } = await mei.call<{ draft_id: number }>('/push/draft/create', {
    audience: 'all',
    message: { title: 'Flash sale tonight!!!', body: 'Everything must go.' },
    note: 'Can we send this at 23:00?',
  });
  await jonas.call('/push/draft/reject', { draft_id, reason: 'Not at night, please.' });
  await mei.call('/push/draft/create', {
    audience: 'all',
    message: { title: 'New lanterns for spring', body: 'Sixteen new designs, by artists from Suzhou.' },
    note: 'Agreed with marketing. Please approve before Friday.',
  });
}

/** A session of an operator at the API. */
class Session {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(baseUrl: string, headers: Readonly<Record<string, string>>) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
  }

  static async start(baseUrl: string, { email, password }: OperatorLogin, appId: string): Promise<Session> {
    const response = await post(`${baseUrl}/operator/login`, { email, password });
    const { csrf_token } = await dataOf<{ csrf_token: string }>(response);
    const [cookie = ''] = response.headers.getSetCookie();
    return new Session(baseUrl, { cookie: cookie.replace(/;.*/, ''), 'carillon-csrf': csrf_token, app_id: appId });
  }

  /** Calls the API. Returns `data`. Throws on every error, because the demo sends only valid requests. */
  async call<T>(path: string, body: object): Promise<T> {
    return dataOf<T>(await post(`${this.#baseUrl}${path}`, body, this.#headers));
  }
}

const post = async (url: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function dataOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(response.url).pathname} returned ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}
