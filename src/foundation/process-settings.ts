import { Type } from 'typebox';

/** The settings of every process, regardless of its role. */
export const processSettings = Type.Object({
  CARILLON_LOG_LEVEL: Type.Union(
    (['debug', 'info', 'warn', 'error'] as const).map((level) => Type.Literal(level)),
    { default: 'info', description: 'Lowest level of the log events that are written.' },
  ),
  CARILLON_SECURITY_LOG: Type.Union(
    (['stdout', 'stderr'] as const).map((output) => Type.Literal(output)),
    {
      default: 'stdout',
      description:
        'Output of security events: `stdout`, together with all other log events, or `stderr`. They have the field `"stream":"security"`, and are written at every log level.',
    },
  ),
  CARILLON_HEALTH_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address on which `/healthz`, `/readyz` and `/metrics` listen.',
  }),
  CARILLON_HEALTH_PORT: Type.Integer({
    default: 9090,
    minimum: 0,
    maximum: 65535,
    description: 'Port of `/healthz`, `/readyz` and `/metrics`. 0 selects a free port.',
  }),
  CARILLON_READINESS_DELAY_SECONDS: Type.Integer({
    default: 5,
    minimum: 0,
    maximum: 300,
    description:
      'Seconds for which the process keeps working after SIGTERM while `/readyz` returns 503, so that load balancers stop sending it traffic.',
  }),
});
