import { Type } from 'typebox';
import { NullableInt64, timeField } from './fields.ts';

/** Credentials for a vendor, without secrets. */
export const certificateRecord = Type.Object(
  {
    provider: Type.Integer({ description: 'Vendor, as in `/push/certificate`.' }),
    environment: Type.Integer({ description: '0 = development, 1 = production.' }),
    name: Type.String({ description: 'Name of the credentials.' }),
    app_id: Type.String({ description: 'App ID at the vendor.' }),
    app_key: Type.String({ description: 'App key at the vendor.' }),
    expire: NullableInt64('Expiry time, Unix epoch milliseconds; null if it never expires.'),
    per_second: NullableInt64(
      'Rate limit per second that was agreed with the vendor; null means the general limit of the vendor.',
    ),
    version: Type.Integer({ description: 'Increases by one each time the credentials are saved.' }),
    updated_at: timeField('Time of the last save'),
  },
  { description: 'Credentials for a vendor, without secrets.' },
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
