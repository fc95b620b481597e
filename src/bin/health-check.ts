import { get } from 'node:http';

const RESPONSE_MS_MAX = 3_000;

/**
 * Ends with 0 if the role with these settings answers `/healthz`, for whatever watches a container. It runs every few
 * seconds beside each role, so it reads its two settings itself: with their schemas it would cost four times as much. An address
 * that means all addresses, such as 0.0.0.0, is on Linux also one to connect to.
 */
const { CARILLON_HEALTH_HOST: host = '127.0.0.1', CARILLON_HEALTH_PORT: port = '9090' } = process.env;

process.exitCode = 1;
const request = get({ host, port, path: '/healthz', timeout: RESPONSE_MS_MAX }, (response) => {
  response.resume();
  if (response.statusCode === 200) process.exitCode = 0;
});
request.on('timeout', () => request.destroy(new Error('no answer')));
request.on('error', ({ message }) => process.stderr.write(`${message}\n`));
