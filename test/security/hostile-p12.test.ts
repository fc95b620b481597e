import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { exportP12, issueCertificate, skipWithoutOpenssl } from '../vendors/apns-test-certificates.ts';

/** Just below the limit for all parts of a file. */
const ROUNDS = '30000';
const PASSPHRASE = 'p'.repeat(1_000);
const FILES = 24;
const PROBE_EVERY_MS = 10;
/** Without the thread, nearly every request waits for a file, which takes 100 ms or more. */
const DELAY_MS_MAX = 80;

describe('p12 files whose decryption is slow', { skip: skipWithoutOpenssl }, () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  test('do not delay other requests of the same process', async () => {
    const [api] = carillon.apis as [RoleProcess];
    const file = exportP12(issueCertificate(), PASSPHRASE, ['-legacy', '-iter', ROUNDS]).toString('base64');
    const save = async () => {
      const body = { provider: 1, name: 'slow', app_secret: PASSPHRASE, certificate: file, check: false };
      return (await carillon.tryPost('/admin/certificate/save', body)).code;
    };
    await save(); // starts the thread
    const delays: number[] = [];
    let isOver = false;
    const probing = (async () => {
      while (!isOver) {
        const began = performance.now();
        await (await fetch(`${api.healthUrl}/readyz`)).text();
        delays.push(performance.now() - began);
        await sleep(PROBE_EVERY_MS);
      }
    })();
    const codes = await Promise.all(Array.from({ length: FILES }, save));
    isOver = true;
    await probing;
    delays.sort((a, b) => a - b);
    const p90 = delays[Math.floor(0.9 * delays.length)] as number;
    console.log(`  codes ${codes.join(' ')}; ${delays.length} requests, p90 ${p90.toFixed(0)} ms`);
    // An app can have few files in the queue. The others are rejected immediately.
    assert.ok(codes.includes(12029) && codes.some((code) => code !== 12029), codes.join(' '));
    assert.ok(p90 <= DELAY_MS_MAX, `${p90} ms`);
  });
});
