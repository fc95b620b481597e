import { Type } from 'typebox';
import { providerNumbers } from '../push/certificate.ts';
import { NullableInt64, timeField } from './fields.ts';

/** Credentials for a vendor, without secrets. */
export const certificateRecord = Type.Object(
  {
    provider: Type.Integer({ description: `Vendor: ${providerNumbers}.` }),
    environment: Type.Integer({ description: 'Environment: 0 = development, 1 = production.' }),
    name: Type.String({ description: 'Name of the credentials.' }),
    app_id: Type.String({ description: 'App ID at the vendor.' }),
    app_key: Type.String({ description: 'App key at the vendor.' }),
    expire: NullableInt64(
      'Time at which the credentials expire, in Unix epoch milliseconds. Null if they do not expire.',
    ),
    per_second: NullableInt64(
      'Rate limit that was saved with the credentials, in devices per second (Xiaomi and Meizu: requests per second). Null means the default limit of the vendor.',
    ),
    version: Type.Integer({ description: 'Version of the credentials. It increases by one each time they are saved.' }),
    updated_at: timeField('Time at which the credentials were last saved'),
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
