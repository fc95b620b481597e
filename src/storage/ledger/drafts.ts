import type { HomeDb } from '../database/database.ts';

/** Number of days after which a draft is deleted, whatever its state is. */
export const DRAFT_DAYS = 7;
/** Maximum number of open drafts per app. Concurrent requests can exceed it slightly. */
export const OPEN_DRAFTS_MAX = 1_000;
/** Maximum number of drafts per app in every state, so that decided drafts cannot fill the database. */
export const DRAFTS_MAX = 10_000;

/** The token that created or decided a draft, with its name at that time. */
export interface DraftToken {
  readonly kind: string;
  readonly tokenId: bigint;
  readonly name: string;
}

export interface NewDraft {
  readonly appId: string;
  readonly author: string;
  readonly groupId: bigint | null;
  /** The request of `/push/notify` as JSON. */
  readonly bodyText: string;
  readonly note: string | null;
  readonly devices: bigint;
  readonly needsApproval: boolean;
  readonly token: DraftToken;
}

export type DraftState = 'open' | 'approved' | 'rejected';

export interface Draft extends Omit<NewDraft, 'token'> {
  readonly draftId: bigint;
  /** The idempotency key of the task, if the request has none. It is never returned, so no caller can use it up. */
  readonly requestKey: string;
  readonly tokenKind: string;
  readonly tokenId: bigint;
  readonly tokenName: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly state: DraftState;
  readonly decidedKind: string | null;
  readonly decidedId: bigint | null;
  readonly decidedName: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /** Null until the task of an approved draft is accepted. */
  readonly taskId: bigint | null;
}

const DRAFT_COLUMNS = `
  draft_id as "draftId", app_id as "appId", author, group_id as "groupId", body as "bodyText",
  request_key as "requestKey", note, devices, needs_approval as "needsApproval", token_kind as "tokenKind",
  token_id as "tokenId", token_name as "tokenName", created_at as "createdAt", expires_at as "expiresAt", state,
  decided_kind as "decidedKind", decided_id as "decidedId", decided_name as "decidedName",
  decided_at as "decidedAt", reason, task_id as "taskId"`;

/** Inserts a draft. Returns undefined if the app has too many. */
export async function insertDraft(db: HomeDb, draft: NewDraft): Promise<Draft | undefined> {
  const [row] = await db.query<Draft>(
    `insert into drafts (app_id, author, group_id, body, note, devices, needs_approval, token_kind, token_id, token_name,
                         expires_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + interval '${DRAFT_DAYS} days'
      where (select count(*) from drafts where app_id = $1 and state = 'open' and expires_at > now()) < ${OPEN_DRAFTS_MAX}
        and (select count(*) from drafts where app_id = $1) < ${DRAFTS_MAX}
     returning ${DRAFT_COLUMNS}`,
    [
      ...[draft.appId, draft.author, draft.groupId, draft.bodyText, draft.note, draft.devices, draft.needsApproval],
      ...[draft.token.kind, draft.token.tokenId, draft.token.name],
    ],
  );
  return row;
}

/** The drafts that a caller can see: those of an app, or only those of a group. */
export interface DraftSight {
  readonly appId: string;
  /** Null means all drafts of the app. */
  readonly groupId: bigint | null;
}

const IS_VISIBLE = 'app_id = $1 and ($2::bigint is null or group_id = $2) and expires_at > now()';

export async function findDraft(
  db: HomeDb,
  { appId, groupId }: DraftSight,
  draftId: bigint,
): Promise<Draft | undefined> {
  const [draft] = await db.query<Draft>(`select ${DRAFT_COLUMNS} from drafts where ${IS_VISIBLE} and draft_id = $3`, [
    appId,
    groupId,
    draftId,
  ]);
  return draft;
}

/**
 * Returns the draft that the same token created with the same request. Compares the requests of at most `DRAFTS_MAX`
 * drafts of the app.
 */
export async function findRepeatedDraft(
  db: HomeDb,
  { appId, groupId }: DraftSight,
  { author, bodyText, token }: Pick<NewDraft, 'author' | 'bodyText' | 'token'>,
): Promise<Draft | undefined> {
  const [draft] = await db.query<Draft>(
    `select ${DRAFT_COLUMNS}
       from drafts
      where ${IS_VISIBLE} and author = $3 and token_kind = $4 and token_id = $5 and body = $6
      order by draft_id
      limit 1`,
    [appId, groupId, author, token.kind, token.tokenId, bodyText],
  );
  return draft;
}

/** Returns the drafts before `before`, the latest first. */
export async function findDrafts(
  db: HomeDb,
  { appId, groupId }: DraftSight,
  state: DraftState | null,
  before: bigint | null,
  limit: number,
): Promise<Draft[]> {
  return db.query<Draft>(
    `select ${DRAFT_COLUMNS}
       from drafts
      where ${IS_VISIBLE} and ($3::text is null or state = $3) and ($4::bigint is null or draft_id < $4)
      order by draft_id desc
      limit $5`,
    [appId, groupId, state, before, limit],
  );
}

export interface DraftDecision {
  readonly draftId: bigint;
  readonly state: Exclude<DraftState, 'open'>;
  readonly token: DraftToken;
  readonly reason: string | null;
}

/** Decides an open draft. The first decision stays. Returns the draft, or undefined if it is not visible any more. */
export async function decideDraft(
  db: HomeDb,
  sight: DraftSight,
  { draftId, state, token, reason }: DraftDecision,
): Promise<Draft | undefined> {
  const [draft] = await db.query<Draft>(
    `update drafts
        set state = $4, decided_kind = $5, decided_id = $6, decided_name = $7, decided_at = now(), reason = $8
      where ${IS_VISIBLE} and draft_id = $3 and state = 'open'
      returning ${DRAFT_COLUMNS}`,
    [sight.appId, sight.groupId, draftId, state, token.kind, token.tokenId, token.name, reason],
  );
  return draft ?? findDraft(db, sight, draftId);
}

/** Records the task of an approved draft. */
export async function saveDraftTask(db: HomeDb, draftId: bigint, taskId: bigint): Promise<void> {
  await db.query('update drafts set task_id = $2 where draft_id = $1 and task_id is null', [draftId, taskId]);
}

export async function deleteExpiredDrafts(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from drafts
      where draft_id in (select draft_id from drafts
                          where expires_at <= now()
                          order by draft_id
                          limit $1
                            for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
