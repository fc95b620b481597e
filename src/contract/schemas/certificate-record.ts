import { Type } from 'typebox';
import { NullableInt64, timeField } from './fields.ts';

/** Credentials for a vendor, without secrets. */
export const certificateRecord = Type.Object(
  {
    provider: Type.Integer({ description: 'Provider, as in `/push/certificate`.' }),
    environment: Type.Integer({ description: '0 = development, 1 = production.' }),
    name: Type.String({ description: 'Certificate name.' }),
    app_id: Type.String({ description: 'App ID at the provider.' }),
    app_key: Type.String({ description: 'App key at the provider.' }),
    expire: NullableInt64('When it expires, Unix epoch milliseconds; null: never.'),
    per_second: NullableInt64(
      'How quick it may be, as agreed with the provider; null: as quick as the provider lets everyone be.',
    ),
    version: Type.Integer({ description: 'Rises by one each time it is saved.' }),
    updated_at: timeField('When it was saved'),
  },
  { description: 'Credentials at a provider, without secrets.' },
);

export const exampleCertificate = {
  provider: 8,
  environment: 1,
  name: 'Honor',
  app_id: '104400151',
  app_key: 'client-id',
  expire: null,
  per_second: null,
  version: 1,
  updated_at: 1794700800000,
} as const;
