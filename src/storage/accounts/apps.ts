import type { UserPush } from '#src/domain/caller.ts';
import { type HomeDb, inTransaction } from '../database/database.ts';

/** The settings that an app's admins can change. */
export interface AppSettings {
  readonly name: string;
  readonly tokenDays: number;
  /** `always200`: every response has HTTP status 200, for clients that check only the code in the response body. */
  readonly httpErrors: 'status' | 'always200';
  readonly userPush: UserPush;
  /** Whether users can register themselves. */
  readonly registration: boolean;
  /** The country of mobile numbers without a country code. */
  readonly country: string;
  /** Null means no limit. */
  readonly notifyPerSecond: number | null;
  /** Whether `/push/task/detail` returns the counters of channels that the specification does not know. */
  readonly extraCounters: boolean;
  /** Whether unknown fields with names close to known fields are rejected. */
  readonly rejectTypos: boolean;
  /** Drafts for more devices need the approval of another token. Null means that no draft needs it. */
  readonly approvalAbove: number | null;
  /** Origins whose pages can call the API, such as `https://shop.example.com`. */
  readonly corsOrigins: readonly string[];
}

export interface App extends AppSettings {
  readonly appId: string;
  readonly publicKey: string;
  /** Sealed, bound to `appKeyContext`. */
  readonly privateKey: Buffer;
  readonly disabled: boolean;
  readonly createdAt: Date;
}

/**
 * Returns the context that an app's private key is sealed for. A sealed value that is moved to another row cannot be
 * opened.
 */
export const appKeyContext = (appId: string): string => JSON.stringify(['apps', appId, 'private_key']);

/** The column of each setting. */
const columns: Readonly<Record<keyof AppSettings, string>> = {
  name: 'name',
  tokenDays: 'token_days',
  httpErrors: 'http_errors',
  userPush: 'user_push',
  registration: 'registration',
  country: 'country',
  notifyPerSecond: 'notify_per_second',
  extraCounters: 'extra_counters',
  rejectTypos: 'reject_typos',
  approvalAbove: 'approval_above',
  corsOrigins: 'cors_origins',
};

const APP_COLUMNS = `
  app_id as "appId", public_key as "publicKey", private_key as "privateKey", disabled_at is not null as disabled,
  created_at as "createdAt", ${Object.entries(columns)
    .map(([name, column]) => `${column} as "${name}"`)
    .join(', ')}`;

/** Returns false if an app with this ID exists. */
export async function insertApp(
  db: HomeDb,
  app: { appId: string; name: string; publicKey: string; privateKey: Buffer },
): Promise<boolean> {
  const rows = await db.query(
    `insert into apps (app_id, name, public_key, private_key) values ($1, $2, $3, $4)
     on conflict do nothing
     returning app_id`,
    [app.appId, app.name, app.publicKey, app.privateKey],
  );
  return rows.length > 0;
}

/** Returns the app, or undefined if it does not exist or is disabled. */
export async function findApp(db: HomeDb, appId: string): Promise<App | undefined> {
  const [app] = await db.queryPrepared<App>(
    `select ${APP_COLUMNS} from apps where app_id = $1 and disabled_at is null`,
    [appId],
  );
  return app;
}

/** Returns the display name of an app, or an empty string if there is no such app. */
export async function findAppName(db: HomeDb, appId: string): Promise<string> {
  const [app] = await db.query<{ name: string }>('select name from apps where app_id = $1', [appId]);
  return app?.name ?? '';
}

export async function findApps(db: HomeDb, limit: number): Promise<App[]> {
  return db.query<App>(`select ${APP_COLUMNS} from apps order by app_id limit $1`, [limit]);
}

/** Returns the CORS origins of all enabled apps, each once. */
export async function findCorsOrigins(db: HomeDb, limit: number): Promise<string[]> {
  const rows = await db.query<{ origin: string }>(
    `select distinct origin from apps, unnest(cors_origins) as origin where disabled_at is null order by origin limit $1`,
    [limit],
  );
  return rows.map(({ origin }) => origin);
}

/** Updates only the given settings. Returns the app, or undefined if it does not exist or is disabled. */
export async function updateApp(db: HomeDb, appId: string, settings: Partial<AppSettings>): Promise<App | undefined> {
  const changes = Object.entries(settings) as [keyof AppSettings, unknown][];
  if (changes.length === 0) return findApp(db, appId);
  const [app] = await db.query<App>(
    `update apps set ${changes.map(([name], i) => `${columns[name]} = $${i + 2}`).join(', ')}
      where app_id = $1 and disabled_at is null
      returning ${APP_COLUMNS}`,
    [appId, ...changes.map(([, value]) => value)],
  );
  return app;
}

/** Disables an app and revokes every session of its devices. Returns false if the app does not exist. */
export function disableApp(db: HomeDb, appId: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rows = await tx.query(
      'update apps set disabled_at = coalesce(disabled_at, now()) where app_id = $1 returning app_id',
      [appId],
    );
    if (rows.length > 0) await tx.query('insert into revocations (app_id) values ($1)', [appId]);
    return rows.length > 0;
  });
}

export async function enableApp(db: HomeDb, appId: string): Promise<boolean> {
  const rows = await db.query('update apps set disabled_at = null where app_id = $1 returning app_id', [appId]);
  return rows.length > 0;
}
