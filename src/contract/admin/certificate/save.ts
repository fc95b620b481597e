import { Type } from 'typebox';
import { LARGE_BODY_BYTES_MAX, type Operation, STORABLE } from '../../operation.ts';
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
    'The new credentials replace those for the same vendor and environment. For Web Push, saving without `app_key` and `app_secret` keeps the saved key pair, or creates one if there is none. The page "Vendor credentials" in the documentation lists the fields that each vendor requires.',
  access: 'admin',
  scope: 'manage',
  audit: ['provider', 'environment', 'per_second'],
  bodyBytesMax: LARGE_BODY_BYTES_MAX,
  body: Type.Object({
    provider: providerField,
    environment: environmentField,
    name: nameField('Name of the credentials.'),
    app_id: optionalText(
      'App ID at the vendor. APNs: bundle ID. FCM: project ID. Web Push: contact, as a `mailto:` or `https:` URL.',
    ),
    app_key: optionalText(
      'App key at the vendor. APNs with a .p8 file: Key ID. Huawei: project ID. Honor: Client ID. Web Push: public VAPID key.',
    ),
    app_secret: optionalText(
      'App secret at the vendor. APNs: Team ID for a .p8 file, or passphrase of a .p12 file. OPPO: MasterSecret. Honor: Client Secret. Web Push: private VAPID key.',
    ),
    check: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether Carillon first checks the credentials with the vendor. Credentials that the vendor rejects are not saved. If the vendor does not respond, the credentials are saved unchecked.',
      }),
    ),
    per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'Rate limit that you agreed with the vendor, in devices per second (Xiaomi and Meizu: requests per second). Blank means the default limit of the vendor.',
      }),
    ),
    certificate: optionalText(
      'Depends on the vendor. APNs: contents of the .p8 file, a .p12 file in base64, or PEM. FCM: the service account JSON. Other vendors: a JSON string with settings. Huawei also accepts a service account file.',
      CERTIFICATE_CHARACTERS_MAX,
    ),
  }),
  data: certificateRecord,
  problems: ['too-many-requests'],
  examples: [
    {
      name: 'Honor',
      body: { provider: 8, name: 'Honor', app_id: '104400151', app_key: 'client-id', app_secret: 'client-secret' },
      data: exampleCertificate,
    },
  ],
} as const satisfies Operation;
