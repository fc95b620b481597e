import { Type } from 'typebox';
import { secret } from '#src/foundation/settings.ts';

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
      'Number of failed logins with a login name after which further attempts must wait: five seconds, and then twice as long each time, up to `CARILLON_LOGIN_FAILURES_SECONDS`. A device on which the user has logged in before is counted separately.',
  }),
  CARILLON_LOGIN_FAILURES_PER_ADDRESS: Type.Integer({
    default: 100,
    minimum: 1,
    description:
      'Maximum number of failed logins per IPv4 address or IPv6 /64 network within `CARILLON_LOGIN_FAILURES_SECONDS`.',
  }),
  CARILLON_LOGIN_FAILURES_SECONDS: Type.Integer({
    default: 900,
    minimum: 1,
    maximum: 86_400,
    description:
      'Length of the period in which failed logins are counted per client address, in seconds. It is also the longest time for which a login name must wait, and the time without attempts after which its failures are forgotten.',
  }),
  CARILLON_LOGINS_PER_USER_PER_HOUR: Type.Integer({
    default: 120,
    minimum: 1,
    description: 'Maximum number of successful logins with a password per user per hour.',
  }),
  CARILLON_REGISTRATIONS_PER_HOUR: Type.Integer({
    default: 20,
    minimum: 1,
    description: 'Maximum number of registrations per client address per hour. Each app is counted separately.',
  }),
  CARILLON_API_UNKNOWN_TOKENS_PER_ADDRESS_PER_MINUTE: Type.Integer({
    default: 600,
    minimum: 0,
    description:
      'Maximum number of requests with an unknown token or app per minute from one IPv4 address or one IPv6 /64 network. At the limit, the API rejects requests from this address, except those with tokens that it has seen before. Each API process counts separately. 0 means no limit, for example behind a proxy that is not in `CARILLON_API_TRUSTED_PROXIES`.',
  }),
  CARILLON_API_REJECTIONS_PER_ADDRESS_PER_SECOND: Type.Integer({
    default: 20,
    minimum: 0,
    maximum: 1_000_000,
    description:
      'Number of rejected requests per second from one IPv4 address or one IPv6 /64 network that are answered immediately. Further rejections are sent after one second. Requests without a valid token and requests above a limit count. Each API process counts separately. 0 means no delay, for example behind a proxy that is not in `CARILLON_API_TRUSTED_PROXIES`.',
  }),
  CARILLON_USER_REQUESTS_PER_MINUTE: Type.Integer({
    default: 120,
    minimum: 1,
    description:
      'Maximum number of requests per user per minute, for operations that accept an access token. Each API process counts separately.',
  }),
  CARILLON_SECRET_READS_PER_MINUTE: Type.Integer({
    default: 10,
    minimum: 1,
    description: 'Maximum number of reads of vendor secrets per admin token or operator per minute.',
  }),
  CARILLON_OIDC_ISSUER: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    description:
      'URL of the OpenID Connect provider with which operators can sign in, such as `https://login.example.com/realms/main`. If empty, operators sign in only with passwords. See [Operators](../operate/operators.md).',
  }),
  CARILLON_OIDC_CLIENT_ID: Type.String({
    default: '',
    description: 'Client ID of Carillon at the OpenID Connect provider.',
  }),
  CARILLON_OIDC_CLIENT_SECRET: secret({
    default: '',
    description: 'Client secret of Carillon at the OpenID Connect provider. If empty, Carillon is a public client.',
  }),
  CARILLON_OIDC_NAME: Type.String({
    default: 'single sign-on',
    description: 'Name of the OpenID Connect provider on the button of the sign-in page.',
  }),
  CARILLON_OIDC_SCOPES: Type.String({
    default: 'openid email profile',
    description: 'Scopes that Carillon requests from the OpenID Connect provider, separated by spaces.',
  }),
  CARILLON_OIDC_GROUPS_CLAIM: Type.String({
    default: 'groups',
    description: 'Claim of the ID token or of the user information that lists the groups of an operator.',
  }),
  CARILLON_OIDC_ROLE_MAPPING: Type.String({
    default: '',
    description:
      'Roles of groups, separated by commas: `group=role@app`, or `group=platform` for platform operators. The roles are `viewer`, `sender` and `admin`. An operator without one of these groups cannot sign in.',
  }),
});
