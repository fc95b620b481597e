import { Type } from 'typebox';
import { vendorByProvider, vendorFacts } from '#src/domain/channel.ts';
import type { Operation } from '../operation.ts';

/** The vendors, by their `provider` number in the API. */
export const providers = Object.entries(vendorByProvider).map(([provider, vendor]) => ({
  provider,
  vendor,
  displayName: vendorFacts[vendor].displayName,
  sendsReceipts: vendorFacts[vendor].sendsReceipts,
}));

export const providerNumbers = providers.map(({ provider, displayName }) => `${provider} = ${displayName}`).join(', ');

export const providerField = Type.Integer({
  minimum: 1,
  maximum: providers.length,
  description: `Vendor: ${providerNumbers}.`,
});

export const environmentField = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'Environment: 0 = development, 1 = production; default 1.',
  }),
);

export const pushCertificate = {
  method: 'GET',
  path: '/push/certificate',
  summary: 'Get the credentials for a vendor',
  description:
    'Returns the credentials of the app for one vendor and environment. With an admin token, the response contains all values. With an access token, `app_secret` and `certificate` are empty, because they are secrets of the server. OPPO is an exception: with an access token, `app_secret` is the AppSecret, which the app needs. The MasterSecret of OPPO is never returned to an app. For Web Push, `app_key` is the public VAPID key, which a page passes to `pushManager.subscribe` as `applicationServerKey`.',
  access: 'token',
  scope: 'secrets',
  audit: ['provider', 'environment'],
  query: Type.Object({ provider: providerField, environment: environmentField }),
  data: Type.Object(
    {
      app_id: Type.String({ description: 'App ID at the vendor.' }),
      app_key: Type.String({ description: 'App key at the vendor.' }),
      app_secret: Type.String({ description: 'App secret at the vendor.' }),
      certificate: Type.String({
        description: 'Keys and settings, as in the field `certificate` of `/admin/certificate/save`.',
      }),
      name: Type.String({ description: 'Name of the credentials.' }),
    },
    { description: 'Push certificate record.' },
  ),
  problems: ['no-certificate', 'too-many-requests'],
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
