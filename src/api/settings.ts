import { Type } from 'typebox';

export const apiSettings = Type.Object({
  CARILLON_API_HOST: Type.String({ default: '0.0.0.0', description: 'Address on which the HTTP API listens.' }),
  CARILLON_API_PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port of the HTTP API. 0 selects a free port.',
  }),
  CARILLON_API_TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'IP addresses or CIDR ranges of trusted proxies, separated by commas. Carillon accepts `X-Forwarded-For` only from these proxies. If empty, the client address is the address of the connection.',
  }),
  CARILLON_LOGIN_FAILURES_PER_NAME: Type.Integer({
    default: 5,
    minimum: 1,
    description:
      'Maximum number of failed logins per user within `CARILLON_LOGIN_FAILURES_SECONDS`. The three login operations are counted together.',
  }),
  CARILLON_LOGIN_FAILURES_PER_ADDRESS: Type.Integer({
    default: 100,
    minimum: 1,
    description: 'Maximum number of failed logins per client address within `CARILLON_LOGIN_FAILURES_SECONDS`.',
  }),
  CARILLON_LOGIN_FAILURES_SECONDS: Type.Integer({
    default: 900,
    minimum: 1,
    maximum: 86_400,
    description: 'Length of the period in which failed logins are counted, in seconds.',
  }),
  CARILLON_REGISTRATIONS_PER_HOUR: Type.Integer({
    default: 20,
    minimum: 1,
    description: 'Maximum number of registrations per client address per hour. Each app is counted separately.',
  }),
  CARILLON_SECRET_READS_PER_MINUTE: Type.Integer({
    default: 60,
    minimum: 1,
    description: 'Maximum number of reads of vendor secrets per admin token per minute.',
  }),
});
