import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commandsFor } from './commands.ts';
import { runCommands } from './run-commands.ts';

/**
 * Starts what `npm run dev` starts, and sets the variables of `.dev.env`. The file itself is not used, because a demo in
 * this checkout may own it.
 */
const START = `
demo=$(mktemp)
npm run -s dev -- --json --temporary >"$demo" 2>"$demo.log" &
DEMO_PID=$!
until [ -s "$demo" ]; do kill -0 "$DEMO_PID"; sleep 0.2; done
CARILLON_URL=$(jq -r .base_url "$demo")
CARILLON_APP_ID=$(jq -r .app_id "$demo")
CARILLON_ADMIN_TOKEN=$(jq -r .admin_token "$demo")
MQTT_PORT=$(jq -r .mqtt_url "$demo" | sed 's/.*://')
APNS_SIMULATOR=$(jq -r .simulators.apns "$demo")`;
const STOP = `
kill "$DEMO_PID" && wait "$DEMO_PID" || true
rm "$demo"*`;

/** These blocks wait until a receipt is counted, or until a revoked token is rejected. */
const UNTIL_RECEIVED = `
until [ "$(post /push/task/detail "{\\"list\\": [$TASK_ID]}" "$CARILLON_ADMIN_TOKEN" | jq '.data[0].nativepush_received')" = 1 ]
do sleep 0.2; done
echo "$TASK_ID"`;
const UNTIL_REVOKED = `
until [ "$(post /device/tag '{}' "$(jq -r .data.token <<<"$first")" | jq .code)" = 10008 ]; do sleep 0.2; done`;
/** The reference that the app of a real phone would read from the notification. */
const SET_REFERENCE = `
until REFERENCE=$(curl -s "$APNS_SIMULATOR/arrived?token=live-ada" | jq -er '.arrived[0].payload.reference'); do sleep 0.2; done`;

/**
 * Sends a notification that waits until the commands of docs/reference/mqtt.md connect the device. Without the distribution
 * strategy, it would be sent through APNs.
 */
const WAITING = `post /push/notify '${JSON.stringify({
  audience: 'all',
  setting: { distribution_strategy: 'nativepush_only' },
  message: { title: 'By the way' },
})}' "$CARILLON_ADMIN_TOKEN"`;

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

const PUSH_TOKEN = /^p[0-9a-f]{3}\w+$/;

const [setUp, logIn, otherLogins, subscribe, send, count, offline, list, shareDevice, logOut, useOldToken, ...more] =
  commandsFor('devices', 'docs/app/mqtt-client.md') as [string, ...string[]];
const [bindAndroid, readKeys, ...moreAndroid] = commandsFor('devices', 'docs/app/android-without-sdk.md');
const [bindIos, ...moreIos] = commandsFor('devices', 'docs/app/ios.md');
const [sendByVendor, report, reportByMqtt, ...moreReceipts] = commandsFor('devices', 'docs/app/receipts.md');
const [tag, alias, badge, ...moreTags] = commandsFor('devices', 'docs/app/tags-alias-badge.md');
const [examples, ...moreExamples] = commandsFor('devices', 'docs/reference/mqtt.md');

/** The commands of all pages in the order of a reader, each with its expected output. */
const steps: readonly (readonly [string | undefined, RegExp])[] = [
  [START, /^$/],
  [setUp, /^$/],
  [logIn, PUSH_TOKEN],
  [otherLogins, /^p[0-9a-f]{3}\w+\n100001$/],
  [subscribe, /^$/],
  [
    send,
    /^\{"task_id":"(\d+)","message_id":"\1","reference":"\1[.\d]+","title":"Hello","body":"Dinner is ready.",.+\}$/,
  ],
  [UNTIL_RECEIVED, /^\d+$/],
  [count, /^1$/],
  [offline, /^200\n\{.+"title":"While you were offline",.+\}$/],
  [list, /^\["ada-phone-1"\]$/],
  [bindAndroid, /^200$/],
  [readKeys, /^\d+$/], // Xiaomi's AppKey
  [bindIos, /^200$/],
  [sendByVendor, /^$/],
  [SET_REFERENCE, /^$/],
  [report, /^1\n1$/], // the receipt is accepted and counted
  [reportByMqtt, /^$/],
  [tag, /^\["beta","news"\]$/],
  [alias, /^kitchen$/],
  [badge, /^0$/],
  [WAITING, /"code":200/],
  [examples, /^\{.+"title":"By the way",.+\}$/],
  [WAITING, /"code":200/],
  [RUN_SCRIPT, /^By the way$/],
  [shareDevice, /^p[0-9a-f]{3}\w+\np[0-9a-f]{3}\w+$/],
  [logOut, /^200$/],
  [UNTIL_REVOKED, /^$/],
  [useOldToken, /^10008$/],
  [STOP, /^$/],
];

test('the commands of the app guides and of docs/reference/mqtt.md have the documented results with npm run dev', async () => {
  assert.deepEqual(
    [more, moreAndroid, moreIos, moreReceipts, moreTags, moreExamples].flat(),
    [],
    'every command is in the list of steps',
  );
  const commands = steps.map(([command]) => command as string);
  const outputs = (await runCommands(commands, { SCRIPT })).map((output) => output.trim());
  const outputOf = (command: string | undefined) => outputs[commands.indexOf(command as string)] as string;

  assert.equal(outputs.length, steps.length);
  for (const [i, output] of outputs.entries()) assert.match(output, steps[i]?.[1] as RegExp, commands[i]);
  const { task_id } = JSON.parse(outputOf(send)) as { task_id: string };
  assert.equal(outputOf(UNTIL_RECEIVED), task_id, 'the device received the task that was sent');
  assert.ok(
    outputOf(otherLogins).startsWith(outputOf(logIn)),
    'the device stays the same, regardless of how its owner logs in',
  );
  assert.equal(new Set(outputOf(shareDevice).split('\n')).size, 2, 'another owner gets another push token');
});
