import { Type } from 'typebox';
import { vendorByProvider, vendorFacts } from '#src/domain/channel.ts';
import type { Operation } from '../operation.ts';

/** The vendors, by their `provider` number in the API. */
export const providers = Object.entries(vendorByProvider).map(([provider, vendor]) => ({
  provider,
  vendor,
  displayName: vendorFacts[vendor].displayName,
}));

export const providerField = Type.Integer({
  minimum: 1,
  maximum: providers.length,
  description: `${providers.map(({ provider, displayName }) => `${provider} = ${displayName}`).join(', ')}.`,
});

export const environmentField = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 1, default: 1, description: '0 = development, 1 = production; default 1.' }),
);

export const pushCertificate = {
  method: 'GET',
  path: '/push/certificate',
  summary: 'Get a push certificate',
  description:
    "Returns the app's credentials for a vendor. An admin token gets all of them; a user token gets the same fields with the server's secrets empty.",
  access: 'token',
  scope: 'secrets',
  audit: ['provider', 'environment'],
  query: Type.Object({ provider: providerField, environment: environmentField }),
  data: Type.Object(
    {
      app_id: Type.String({ description: 'App ID at the vendor.' }),
      app_key: Type.String({ description: 'App key at the vendor.' }),
      app_secret: Type.String({ description: 'App secret at the vendor.' }),
      certificate: Type.String({ description: 'Certificate.' }),
      name: Type.String({ description: 'Name of the credentials.' }),
    },
    { description: 'Push certificate record.' },
  ),
  problems: ['no-certificate'],
  examples: [
    {
      name: 'APNs, production',
      query: { provider: '1' },
      data: {
        app_id: 'com.example.carillon',
        app_key: 'ABC123DEFG',
        app_secret: 'TEAM123456',
        certificate: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
        name: 'APNs',
      },
    },
  ],
} as const satisfies Operation;
