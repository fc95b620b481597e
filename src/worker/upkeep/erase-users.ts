import { bucketOfDevice } from '#src/domain/device.ts';
import { parseDraft, toRequestAudience } from '#src/domain/drafts/request-audience.ts';
import { withoutUser } from '#src/domain/erasure/user-names.ts';
import { parseTaskContent } from '#src/domain/task-content.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { Log } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { byDatabase, type HomeDb, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { eraseDevice, findDevicesToErase } from '#src/storage/devices/ownership.ts';
import { deleteVendorTokenOwners } from '#src/storage/devices/vendor-token-owners.ts';
import { endTask } from '#src/storage/ledger/cancel.ts';
import {
  addErasedDevices,
  type ClaimedErasure,
  claimErasure,
  finishErasure,
  postponeErasure,
  removeErasedBuckets,
  saveErasureProgress,
} from '#src/storage/users/erasures.ts';
import {
  authorOfUser,
  deleteUserRequestKeys,
  eraseCounts,
  eraseDraft,
  eraseTask,
  findUserCounts,
  findUserDrafts,
  findUserTasks,
  type UserDraft,
  type UserPage,
  type UserTask,
} from '#src/storage/users/user-records.ts';

/** Pause before an erasure that has to wait is continued. */
const RETRY_SECONDS = 60;
/** Maximum number of erasures per run. The next run continues. */
const ERASURES_MAX = 100;
const KEYS_PER_DELETE = 10_000;

/**
 * Continues all erasures that are due. A failed erasure is logged, does not stop the others, and is tried again. After
 * `stop`, the current page is completed, and another worker continues.
 */
export async function eraseUsers(storage: Storage, log: Log, stop: AbortSignal): Promise<void> {
  for (let erasures = 0; erasures < ERASURES_MAX && !stop.aborted; erasures++) {
    const erasure = await claimErasure(storage.home);
    if (!erasure) return;
    const { erasureId, appId } = erasure;
    try {
      const progress = await continueErasure(storage, erasure, stop);
      if (progress === 'done') log.info('user-erased', { appId, erasureId: String(erasureId) });
      else await postponeErasure(storage.home, erasureId, progress === 'continue' ? 0 : RETRY_SECONDS);
    } catch (error) {
      log.warn('erasure-failed', { appId, erasureId: String(erasureId), error });
      await postponeErasure(storage.home, erasureId, RETRY_SECONDS);
    }
  }
}

/**
 * `continue`: the next step can begin. `wait`: a database is unavailable, a task is not finished, or requests of the
 * user may still be running.
 */
type Progress = 'done' | 'continue' | 'wait';

/**
 * Does the next step of an erasure, which can be repeated. Devices are erased first, because tasks are found by their
 * names.
 */
async function continueErasure(storage: Storage, erasure: ClaimedErasure, stop: AbortSignal): Promise<Progress> {
  const { buckets, settled } = erasure;
  const bucketsByDatabase = byDatabase(storage.shards, buckets, (bucket) => bucket);
  const results = await Promise.allSettled(
    [...bucketsByDatabase].map(([db, ofDatabase]) => eraseDevicesInDatabase(storage, db, erasure, ofDatabase)),
  );
  for (const result of results)
    if (result.status === 'rejected' && !(result.reason instanceof Unavailable)) throw result.reason;
  if (!settled || results.some(({ status }) => status === 'rejected')) return 'wait';
  return buckets.length > 0 ? 'continue' : eraseRecords(storage.home, erasure, stop);
}

/**
 * Erases the devices in one database. A login that began before the user was deleted can still register a device, so
 * the buckets count as done only after such logins have ended.
 */
async function eraseDevicesInDatabase(
  { home, shards }: Storage,
  db: ShardDb,
  { erasureId, appId, userId, deviceIds, settled }: ClaimedErasure,
  buckets: readonly number[],
): Promise<void> {
  if (!db.isAvailable) throw new Unavailable('The database does not respond.');
  const devices = await findDevicesToErase(db, appId, userId);
  if (devices.length > 0) await addErasedDevices(home, erasureId, devices);
  for (const { deviceId, generation } of devices)
    await eraseDevice(db, { appId, bucket: bucketOfDevice(deviceId), deviceId, generation });
  // A request to bind a vendor token can record the owner after the device was erased.
  const erasedIds = [...new Set([...deviceIds, ...devices.map(({ deviceId }) => deviceId)])].filter(
    (deviceId) => shards.dbFor(bucketOfDevice(deviceId)) === db,
  );
  if (erasedIds.length > 0) await deleteVendorTokenOwners(home, erasedIds);
  if (settled) await removeErasedBuckets(home, erasureId, buckets);
}

/** Removes the user from drafts, tasks, counters and idempotency keys. Audit entries are evidence, and are never changed. */
async function eraseRecords(home: HomeDb, erasure: ClaimedErasure, stop: AbortSignal): Promise<Progress> {
  const { erasureId, appId, userId } = erasure;
  let { tasksAfter } = erasure;
  let isWaiting = false;
  const eraseTasks = async (tasks: readonly UserTask[], last: bigint) => {
    for (const task of tasks) if (!(await eraseFromTask(home, erasure, task))) isWaiting = true;
    // The next run examines the tasks again from the page with the first task that has to wait.
    if (!isWaiting) tasksAfter = last;
  };
  /** Reads all pages, whose number is limited by the table. Returns false if the worker is stopping. */
  const forEachPage = async <T>(
    read: (after: bigint) => Promise<UserPage<T>>,
    erase: (rows: readonly T[], last: bigint) => Promise<void>,
    start = 0n,
  ): Promise<boolean> => {
    for (let after = start; !stop.aborted; ) {
      const { rows, last, isLastPage } = await read(after);
      await erase(rows, last);
      await saveErasureProgress(home, erasureId, tasksAfter);
      if (isLastPage) return true;
      after = last;
    }
    return false;
  };

  // Before the tasks and their idempotency keys, because the approval of a draft creates a task.
  const draftsErased = await forEachPage(
    (after) => findUserDrafts(home, appId, erasure, after),
    async (drafts) => {
      for (const draft of drafts) await eraseFromDraft(home, erasure, draft);
    },
  );
  if (!draftsErased) return 'continue';
  if (!(await forEachPage((after) => findUserTasks(home, appId, erasure, after), eraseTasks, tasksAfter)))
    return 'continue';
  if (isWaiting) return 'wait';
  const isComplete = await forEachPage(
    (after) => findUserCounts(home, appId, userId, after),
    (rows) => eraseCounts(home, rows),
  );
  if (!isComplete) return 'continue';
  while ((await deleteUserRequestKeys(home, appId, userId, KEYS_PER_DELETE)) === KEYS_PER_DELETE)
    await saveErasureProgress(home, erasureId, tasksAfter);
  await finishErasure(home, erasureId);
  return 'done';
}

/**
 * Removes the user from a task. If the user is the only recipient, the message is erased too. Such a task is cancelled
 * first, because a worker may still need the message. Returns false if the task is not finished yet.
 */
async function eraseFromTask(home: HomeDb, erasure: ClaimedErasure, task: UserTask): Promise<boolean> {
  const { audience } = parseTaskContent(task.audienceText, task.messageText);
  const rest = withoutUser(audience, namesAt(erasure, task.acceptedAt));
  const erasesAuthor = task.author === authorOfUser(erasure.userId);
  if (!rest && !erasesAuthor) return true;
  const erasesMessage = rest?.isEmpty === true;
  if (erasesMessage && !task.finished) {
    await endTask(home, task.taskId);
    return false;
  }
  const audienceText = rest ? stringifyJson(rest.audience) : task.audienceText;
  return eraseTask(home, { task, audienceText, erasesAuthor, erasesMessage });
}

/** Removes the user from the audience of a draft. Deletes a draft of the user, or whose only recipient is the user. */
async function eraseFromDraft(home: HomeDb, erasure: ClaimedErasure, draft: UserDraft): Promise<void> {
  const { body, audience } = parseDraft(draft.bodyText);
  const rest = withoutUser(audience, namesAt(erasure, draft.createdAt));
  if (draft.author === authorOfUser(erasure.userId) || rest?.isEmpty) await eraseDraft(home, draft.draftId, null);
  else if (rest)
    await eraseDraft(home, draft.draftId, stringifyJson({ ...body, audience: toRequestAudience(rest.audience) }));
}

/** Returns the names of the user at a time. Another user may have taken over an alias since the user was deleted. */
const namesAt = (erasure: ClaimedErasure, at: Date): ClaimedErasure =>
  at <= erasure.deletedAt ? erasure : { ...erasure, aliases: [] };
