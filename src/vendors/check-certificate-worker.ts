import { parentPort } from 'node:worker_threads';
import { Problem } from '#src/domain/problem.ts';
import type { CheckRequest, CheckResponse } from './check-certificate.ts';
import { vendorRegistry } from './registry.ts';

parentPort?.on('message', ({ channel, input, environment, now }: CheckRequest) => {
  parentPort?.postMessage(check());

  function check(): CheckResponse {
    try {
      return { checked: vendorRegistry[channel].checkCertificate(input, environment, now) };
    } catch (error) {
      // An error loses its class between threads. Errors other than problems are left to end the thread.
      if (error instanceof Problem) return { problem: error.problem, message: error.message };
      throw error;
    }
  }
});
