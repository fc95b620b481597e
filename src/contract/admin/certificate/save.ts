import { Type } from 'typebox';
import { type Operation, STORABLE } from '../../operation.ts';
import { environmentField, providerField } from '../../push/certificate.ts';
import { certificateRecord, exampleCertificate } from '../../schemas/certificate-record.ts';
import { nameField } from '../../schemas/fields.ts';

const optionalText = (description: string, maxLength = 1_024) =>
  Type.Optional(Type.String({ maxLength, pattern: STORABLE, description }));

/** Maximum number of characters. A service account key is about 3 KB, and a p12 file with its chain about 10 KB. */
const CERTIFICATE_CHARACTERS_MAX = 65_536;

export const adminCertificateSave = {
  method: 'POST',
  path: '/admin/certificate/save',
  summary: 'Save the credentials for a vendor',
  description:
    'Checks the credentials and replaces those for the same vendor and environment. `docs/vendors/credentials.md` describes the fields that each vendor requires. APNs accepts a p8 key or a p12 file exported from Keychain.',
  access: 'admin',
  scope: 'manage',
  audit: ['provider', 'environment', 'per_second'],
  body: Type.Object({
    provider: providerField,
    environment: environmentField,
    name: nameField('Name of the credentials.'),
    app_id: optionalText('App ID at the vendor.'),
    app_key: optionalText('App key at the vendor.'),
    app_secret: optionalText('App secret at the vendor; with a p12 file, its passphrase.'),
    check: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'If false, the credentials are saved without checking them with the vendor. Otherwise, credentials that the vendor clearly rejects are not saved. If the vendor does not respond, they are saved unchecked.',
      }),
    ),
    per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'Rate limit that was agreed with the vendor, in devices per second, or in requests if the vendor counts requests. Blank means the general limit of the vendor.',
      }),
    ),
    certificate: optionalText(
      'Certificate: a key, a service account or a p12 file in base64, depending on the vendor.',
      CERTIFICATE_CHARACTERS_MAX,
    ),
  }),
  data: certificateRecord,
  problems: [],
  examples: [
    {
      name: 'Honor',
      body: { provider: 8, name: 'Honor', app_id: '104400151', app_key: 'client-id', app_secret: 'client-secret' },
      data: exampleCertificate,
    },
  ],
} as const satisfies Operation;
