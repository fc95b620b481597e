import { deviceReceipt } from '#src/contract/device/receipt.ts';
import { isBlank } from '#src/domain/blank.ts';
import { Problem } from '#src/domain/problem.ts';
import { recordDeviceReceipts } from '#src/receipts/device-receipts.ts';
import type { Route } from '../../context.ts';
import { resolveDevice } from '../../http/resolve-device.ts';

/** Responds after the bits are committed. A caller that gets no response can retry, because a receipt counts once. */
export const deviceReceiptRoute: Route<typeof deviceReceipt> = {
  operation: deviceReceipt,
  handle: async ({ storage, receipts }, { caller, body }) => {
    if (body.list.some(isBlank)) throw new Problem('bad-parameter', 'A reference must not be blank.');
    const device = await resolveDevice(storage, caller, body.push_token);
    const isClick = body.event === 'clicked';
    return {
      received: await recordDeviceReceipts({ shards: storage.shards, receipts }, device, body.list, { isClick }),
    };
  },
};
