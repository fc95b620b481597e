import { Type } from 'typebox';
import { secret } from '#src/foundation/settings.ts';

export const signalsSettings = Type.Object({
  CARILLON_NATS_URLS: Type.String({
    // User and password are not allowed in the URLs, because the client prints URLs that it cannot use.
    pattern: '^(nats|tls)://[^@\\s,]+(,(nats|tls)://[^@\\s,]+)*$',
    description: 'URLs of the NATS servers, separated by commas, such as `nats://10.0.0.1:4222,nats://10.0.0.2:4222`.',
  }),
  CARILLON_NATS_USER: Type.String({
    default: '',
    description: 'User name for NATS. If empty, Carillon connects without authentication.',
  }),
  CARILLON_NATS_PASSWORD: secret({ default: '', description: 'Password of the user in `CARILLON_NATS_USER`.' }),
  CARILLON_NATS_TLS: Type.Union([Type.Literal('required'), Type.Literal('off')], {
    default: 'required',
    description:
      'Whether connections to NATS on other machines use TLS and verify the certificate. `off`: only URLs with `tls://` use TLS. Connections to a loopback address never require TLS.',
  }),
  CARILLON_NATS_CA_FILE: Type.String({
    default: '',
    description:
      'PEM file with the certificates that sign the certificates of the NATS servers. If empty, the certificates of Node.js are used.',
  }),
  CARILLON_NATS_PREFIX: Type.String({
    default: 'carillon',
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'Prefix of every NATS subject. Installations that share a NATS cluster need different prefixes.',
  }),
});
