import { requestRecall } from '#src/signals/gateway.ts';
import { findSessions } from '#src/storage/devices/presence.ts';
import { type PlaceToRecall, type RecallPass, readPlaces, type SliceRecall } from './recall-places.ts';

/**
 * Recalls a notification from the devices of a slice that are connected. A device that is offline, or whose client does
 * not support recalls, is tried again in a later pass.
 */
export async function recallNativeSlice(pass: RecallPass, places: readonly PlaceToRecall[]): Promise<SliceRecall> {
  const { signals } = pass.context;
  const { rows: sessions } = await readPlaces(pass, places, findSessions);
  const connected = places.filter(({ deviceId, generation }) => sessions.get(deviceId)?.generation === generation);
  const byGateway = Map.groupBy(connected, ({ deviceId }) => sessions.get(deviceId)?.gateway ?? '');
  const written = await Promise.all(
    [...byGateway].map(([gateway, targets]) => requestRecall(signals, gateway, { taskId: pass.taskId, targets })),
  );
  return { recalled: written.flat(), failed: [], isBlocked: false };
}
