import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { push, signProviderToken } from './test-client.ts';

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`the command prints one JSON line, serves with it, and ends with 0 on ${signal}`, async () => {
    const command = spawn(process.execPath, [`${import.meta.dirname}/main.ts`, '--json', '--slow-ms', '1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const lines: string[] = [];
      const output = createInterface(command.stdout);
      output.on('line', (line) => lines.push(line));
      await once(output, 'line');
      const facts = JSON.parse(lines[0] ?? '');
      const session = connect(facts.production_url, { ca: readFileSync(facts.ca_file) });
      const token = signProviderToken({ keyId: facts.key_id, teamId: facts.team_id, p8Pem: facts.p8 });
      const headers = { authorization: `bearer ${token}`, 'apns-topic': facts.topic };
      assert.equal((await push(session, { token: 'slow-1', headers })).status, 200);
      const reply = await fetch(`${facts.control_url}/arrived`);
      assert.equal(JSON.parse(await reply.text()).total, 1);

      session.on('error', () => {}); // the server goes away below
      const exited = once(command, 'exit');
      command.kill(signal);
      assert.deepEqual(await exited, [0, null]);
      assert.equal(lines.length, 1);
      assert.ok(!existsSync(facts.ca_file));
    } finally {
      command.kill('SIGKILL');
    }
  });
}
