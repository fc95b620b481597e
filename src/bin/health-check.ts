import { get } from 'node:http';

const RESPONSE_MS_MAX = 3_000;

/**
 * Exits with 0 if the role that is configured by the same settings responds to `/healthz`. Container health checks run
 * this command every few seconds next to each role. It reads its two settings directly, because loading their schemas
 * would cost four times as much. On Linux, connecting to a wildcard address such as 0.0.0.0 reaches the local host.
 */
const { CARILLON_HEALTH_HOST: host = '127.0.0.1', CARILLON_HEALTH_PORT: port = '9090' } = process.env;

process.exitCode = 1;
const request = get({ host, port, path: '/healthz', timeout: RESPONSE_MS_MAX }, (response) => {
  response.resume();
  if (response.statusCode === 200) process.exitCode = 0;
});
request.on('timeout', () => request.destroy(new Error('/healthz did not respond in time')));
request.on('error', ({ message }) => process.stderr.write(`${message}\n`));
