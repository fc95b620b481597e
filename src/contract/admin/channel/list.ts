import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { channelRecord } from '../../schemas/channel-record.ts';

export const adminChannelList = {
  method: 'POST',
  path: '/admin/channel/list',
  summary: 'How it stands with the providers',
  description:
    "For each of the app's certificates: whether the provider takes notifications, which allowance is used up and until when, and how quick it may be.",
  access: 'admin',
  scope: 'manage',
  data: Type.Array(channelRecord),
  problems: [],
  examples: [
    {
      name: 'vivo, whose day is over',
      data: [
        {
          provider: 5,
          environment: 1,
          name: 'vivo',
          expire: null,
          open: true,
          reason: '',
          closed_at: null,
          spent: [{ class: 'operational', until: 1794758400000 }],
          per_second: 3000,
          throttled_at: null,
        },
      ],
    },
  ],
} as const satisfies Operation;
