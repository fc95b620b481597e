import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { channelRecord } from '../../schemas/channel-record.ts';

export const adminChannelList = {
  method: 'POST',
  path: '/admin/channel/list',
  summary: 'List the status of vendor channels',
  description:
    'Returns one row for each of the saved credentials. It shows whether the channel is paused, which daily quotas are used up, how much of a quota is used, the current rate limit, the last response of the vendor, and the time of its last receipt.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  translates: true,
  data: Type.Array(channelRecord),
  problems: [],
  examples: [
    {
      name: 'vivo with its daily quota used up',
      data: [
        {
          provider: 5,
          environment: 1,
          name: 'vivo',
          expire: null,
          open: true,
          reason: '',
          closed_at: null,
          probe_at: null,
          spent: [{ class: 'operational', until: 1794758400000 }],
          usage: [
            { class: 'operational', accepted: 20000 },
            { class: 'system', accepted: 1250 },
          ],
          resets_at: 1794758400000,
          per_second: 3000,
          throttled_at: null,
          last_response: { at: 1794700800000, result: 'accepted', reason: '' },
          last_receipt_at: 1794700920000,
        },
      ],
    },
  ],
} as const satisfies Operation;
