import type { UserPush } from '#src/domain/caller.ts';
import type { HomeDb } from './database.ts';

export interface App {
  readonly appId: string;
  readonly tokenDays: number;
  /** `always200`: for clients that look at the code only, every answer has HTTP status 200. */
  readonly httpErrors: 'status' | 'always200';
  readonly userPush: UserPush;
  readonly publicKey: string;
  /** Sealed. */
  readonly privateKey: Buffer;
}

/** The row that an app's private key is sealed for. */
export const appKeyContext = (appId: string): string => JSON.stringify(['apps', appId, 'private_key']);

export async function insertApp(
  db: HomeDb,
  app: { appId: string; name: string; publicKey: string; privateKey: Buffer },
): Promise<void> {
  await db.query('insert into apps (app_id, name, public_key, private_key) values ($1, $2, $3, $4)', [
    app.appId,
    app.name,
    app.publicKey,
    app.privateKey,
  ]);
}

/** The app, or undefined if there is none or it was disabled. */
export async function findApp(db: HomeDb, appId: string): Promise<App | undefined> {
  const [app] = await db.query<App>(
    `select app_id as "appId", token_days as "tokenDays", http_errors as "httpErrors",
            user_push as "userPush", public_key as "publicKey", private_key as "privateKey"
       from apps
      where app_id = $1 and disabled_at is null`,
    [appId],
  );
  return app;
}
