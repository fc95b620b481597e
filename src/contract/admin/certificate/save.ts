import { Type } from 'typebox';
import { type Operation, STORABLE } from '../../operation.ts';
import { environmentField, providerField } from '../../push/certificate.ts';
import { certificateRecord, exampleCertificate } from '../../schemas/certificate-record.ts';
import { nameField } from '../../schemas/fields.ts';

const optionalText = (description: string, maxLength = 1_024) =>
  Type.Optional(Type.String({ maxLength, pattern: STORABLE, description }));

/** At most 65,536 characters: a service account is 3 KB, a p12 file with its chain 10 KB. */
const CERTIFICATE_CHARACTERS_MAX = 65_536;

export const adminCertificateSave = {
  method: 'POST',
  path: '/admin/certificate/save',
  summary: 'Save the credentials at a provider',
  description:
    'Checks credentials as their provider wants them, and puts them in the place of those for the same provider and environment. What each field holds is told in `docs/certificates.md`; APNs takes a p8 key or a p12 as the Keychain exports it.',
  access: 'admin',
  scope: 'manage',
  audit: ['provider', 'environment', 'per_second'],
  body: Type.Object({
    provider: providerField,
    environment: environmentField,
    name: nameField('Certificate name.'),
    app_id: optionalText('App ID at the provider.'),
    app_key: optionalText('App key at the provider.'),
    app_secret: optionalText('App secret at the provider; with a p12, its passphrase.'),
    check: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'False: they are saved without asking the provider. Else those that it clearly refuses are not saved; a provider that does not answer is no obstacle.',
      }),
    ),
    per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'How many devices, or requests where the provider counts those, may be sent there in a second, if that was agreed with the provider; blank: as many as it lets everyone send.',
      }),
    ),
    certificate: optionalText(
      'Certificate: a key, a service account or base64 of a p12, as the provider has it.',
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
