import { adminDeviceGet } from '#src/contract/admin/device/get.ts';
import { Problem } from '#src/domain/problem.ts';
import { findDeviceDetails } from '#src/storage/devices/device-details.ts';
import { findKnownTasks } from '#src/storage/ledger/task-titles.ts';
import type { Route } from '../../../context.ts';
import { toDeviceRecord } from '../../../records/device-record.ts';
import { findDeviceRecord } from '../../../records/find-device-record.ts';
import { textsOf } from '../../../records/message-texts.ts';

export const adminDeviceGetRoute: Route<typeof adminDeviceGet> = {
  operation: adminDeviceGet,
  handle: async ({ storage }, { app: { appId }, body }) => {
    const device = await findDeviceRecord(storage, appId, body.push_token);
    const details = device && (await findDeviceDetails(storage.shards.dbFor(device.bucket), { appId, ...device }));
    if (!details) throw new Problem('no-such-device');
    const { badge, gateway, connectedAt, inbox } = details;
    const taskIds = inbox.map(({ taskId }) => taskId);
    const tasks = await findKnownTasks(storage.home, appId, taskIds);
    const titles = new Map(tasks.map(({ taskId, messageText }) => [taskId, textsOf(messageText ?? '').title]));
    return {
      ...toDeviceRecord(device),
      badge,
      session: gateway !== null && connectedAt ? { gateway, connected_at: BigInt(connectedAt.getTime()) } : null,
      inbox: inbox.map(({ taskId, expiresAt }) => ({
        task_id: taskId,
        title: titles.get(taskId) ?? null,
        expire: BigInt(expiresAt.getTime()),
      })),
    };
  },
};
