import { Type } from 'typebox';

export const apiSettings = Type.Object({
  CARILLON_API_HOST: Type.String({ default: '0.0.0.0', description: 'Listen address of the HTTP API.' }),
  CARILLON_API_PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port of the HTTP API. 0 selects any free port.',
  }),
  CARILLON_API_TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'Trusted proxies (IP addresses or CIDR ranges, separated by commas). `X-Forwarded-For` is accepted only from them. If empty, the address of the connection is used.',
  }),
  CARILLON_LOGIN_FAILURES_PER_NAME: Type.Integer({
    default: 5,
    minimum: 1,
    description:
      'Failed logins allowed per user within `CARILLON_LOGIN_FAILURES_SECONDS`, over all three login operations.',
  }),
  CARILLON_LOGIN_FAILURES_PER_ADDRESS: Type.Integer({
    default: 100,
    minimum: 1,
    description: 'Failed logins allowed per client address within `CARILLON_LOGIN_FAILURES_SECONDS`.',
  }),
  CARILLON_LOGIN_FAILURES_SECONDS: Type.Integer({
    default: 900,
    minimum: 1,
    maximum: 86_400,
    description: 'Period in which failed logins are counted, in seconds.',
  }),
  CARILLON_REGISTRATIONS_PER_HOUR: Type.Integer({
    default: 20,
    minimum: 1,
    description:
      'Registrations allowed per client address per hour, in each app that allows users to register themselves.',
  }),
  CARILLON_SECRET_READS_PER_MINUTE: Type.Integer({
    default: 60,
    minimum: 1,
    description: 'Reads of vendor secrets allowed per admin token per minute.',
  }),
});
