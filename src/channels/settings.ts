import { Type } from 'typebox';

export const channelSettings = Type.Object({
  CARILLON_VENDOR_DEADLINE_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 30,
    description: 'A vendor that has not answered by then counts as unreachable. Must be well below the lease.',
  }),
  CARILLON_APNS_URL_PRODUCTION: Type.String({
    default: 'https://api.push.apple.com',
    description: 'Where APNs is, environment 1.',
  }),
  CARILLON_APNS_URL_DEVELOPMENT: Type.String({
    default: 'https://api.sandbox.push.apple.com',
    description: 'Where APNs is, environment 0.',
  }),
});
