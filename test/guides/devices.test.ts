import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commandsFor } from './commands.ts';
import { runCommands } from './run-commands.ts';

/**
 * Sends a notification that waits until the commands of docs/reference/mqtt.md connect the device. Without the distribution
 * strategy, it would be sent through APNs.
 */
const WAITING = `post /push/notify '${JSON.stringify({
  audience: 'all',
  setting: { distribution_strategy: 'nativepush_only' },
  message: { title: 'By the way' },
})}' "$ADMIN_TOKEN"`;

/**
 * The JavaScript example of docs/reference/mqtt.md, completed with the parts that the page leaves to the reader. It exits after
 * the acknowledgement.
 */
const page = readFileSync(new URL('../../docs/reference/mqtt.md', import.meta.url), 'utf8');
const [, example = ''] = /^```js\n([\s\S]+?)^```$/m.exec(page) ?? [];
const SCRIPT = `
const [, url, deviceGuid, pushToken, token] = process.argv;
async function show({ title }) { console.log(title); }
${example.replace("'mqtt://gateway.example:1883'", 'url')}
client.on('packetsend', ({ cmd }) => { if (cmd === 'puback') client.end(); });`;
const RUN_SCRIPT =
  'node --input-type=module -e "$SCRIPT" "mqtt://$MQTT_HOST:$MQTT_PORT" "$DEVICE_GUID" "$PUSH_TOKEN" "$TOKEN"';

const PUSH_TOKEN = /^p\d\d\w+$/;

/** Expected output of the blocks, in order. */
const wanted = [
  /^$/, // everything has started
  PUSH_TOKEN,
  /^p\d\d\w+\n100001$/,
  /^(\d+)\n\{"task_id":"\1","message_id":"\1","title":"Hello",.+\}$/,
  /^200\n\{.+"title":"While you were away",.+\}$/,
  /^200$/, // bound
  /^\d+$/, // Xiaomi's AppKey
  /^1\n1$/, // the receipt is accepted and counted
  /^$/, // the receipt is sent again over MQTT
  /^\['beta', 'news'\]\nkitchen\n0$/,
  /^ada-phone-1$/,
  /"code":200/, // `WAITING`
  /^\{.+"title":"By the way",.+\}$/, // docs/reference/mqtt.md
  /"code":200/, // `WAITING`
  /^By the way$/, // docs/reference/mqtt.md, in JavaScript
  PUSH_TOKEN,
  /^200$/, // logged out
];

test('the commands of docs/app/mqtt-client.md and docs/reference/mqtt.md have the documented results with npm run dev', async () => {
  const blocks = commandsFor('devices', 'docs/app/mqtt-client.md');
  const taken = blocks.findIndex((block) => block.includes('bo-password'));
  const mqtt = [WAITING, ...commandsFor('devices', 'docs/reference/mqtt.md'), WAITING, RUN_SCRIPT];
  const all = [...blocks.slice(0, taken), ...mqtt, ...blocks.slice(taken)];
  const outputs = (await runCommands(all, { SCRIPT })).map((output) => output.trim());

  assert.equal(outputs.length, wanted.length);
  for (const [i, output] of outputs.entries()) assert.match(output, wanted[i] as RegExp, all[i]);
  const [first, again, other] = [1, 2, -2].map((i) => outputs.at(i)) as [string, string, string];
  assert.ok(again.startsWith(first), 'the device stays the same, regardless of how its owner logs in');
  assert.notEqual(other, first, 'another owner gets another push token');
});
