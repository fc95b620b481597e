import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Environment, type VendorName, vendorNames } from './channel.ts';
import type { MessageType } from './message.ts';
import { type Reach, reachBit } from './reach.ts';
import { firstRoute, nextRoute, type Route, type RoutedDevice, type RouteRules } from './routing.ts';
import type { SliceChannel } from './slice.ts';
import type { Strategy } from './task.ts';

/**
 * The routing rules as a table. The columns are:
 * - asked: strategy, message type and sequence, if they differ from `combined`, `text` and `[ups fcm]`.
 * - device: `online` or not, `forgotten` if it was not seen for 30 days, then its bindings.
 *   `fcm` is production, `fcm:0` development, and `*` marks the vendor that was bound last.
 * - certified: the credentials of the app. Empty means every vendor in production, `-` means none.
 * - way: the routes in order, each tried after the previous one has failed. `inbox` is the Carillon channel with a message that waits.
 */
const TABLE = `
  when                                            | asked                   | device                | certified | way

  online, no vendor                               |                         | online                |           | nativepush inbox
  online, one vendor                              |                         | online fcm            |           | nativepush fcm inbox
  an iPhone that is online                        |                         | online apns           |           | nativepush apns inbox
  offline, no vendor                              |                         |                       |           | inbox
  offline, one vendor                             |                         | fcm                   |           | fcm inbox
  an iPhone that is offline                       |                         | apns                  |           | apns inbox
  not seen for a month, no vendor                 |                         | forgotten             |           | none
  not seen for a month, one vendor                |                         | forgotten fcm         |           | fcm none

  MQTT only, online                               | nativepush_only         | online apns           |           | nativepush inbox
  MQTT only, offline                              | nativepush_only         | apns                  |           | inbox
  MQTT only, not seen for a month                 | nativepush_only         | forgotten fcm         |           | none

  vendors only, online                            | ospush_only             | online fcm            |           | fcm none
  vendors only, offline                           | ospush_only             | apns                  |           | apns none
  vendors only, no vendor                         | ospush_only             | online                |           | none
  vendors only, two vendors                       | ospush_only             | huawei* fcm           |           | huawei fcm none

  the phone makers come first by default          |                         | fcm huawei*           |           | huawei fcm inbox
  fcm is asked for first                          | [fcm ups]               | fcm huawei*           |           | fcm huawei inbox
  the only vendor is not in the sequence          | [fcm xiaomi]            | huawei*               |           | inbox
  vendors are named one by one                    | [xiaomi vivo]           | oppo* vivo xiaomi     |           | xiaomi vivo inbox
  a vendor is named twice                         | [vivo ups fcm vivo]     | vivo* fcm             |           | vivo fcm inbox
  a vendor is named before its group              | [oppo ups]              | oppo vivo*            |           | oppo vivo inbox
  meizu is the word for flyme                     | [meizu]                 | flyme*                |           | flyme inbox
  flyme is part of ups                            | [ups]                   | flyme*                |           | flyme inbox
  honor is part of ups                            | [ups]                   | honor*                |           | honor inbox
  harmony is part of ups                          | [ups]                   | harmony*              |           | harmony inbox
  harmony is an item of the sequence              | [fcm harmony]           | harmony* fcm          |           | fcm harmony inbox
  harmony comes before huawei                     | [ups]                   | huawei harmony        |           | harmony huawei inbox
  the huawei token was bound last                 | [ups]                   | huawei* harmony       |           | huawei harmony inbox
  fcm is no part of ups                           | [ups]                   | fcm                   |           | inbox
  webpush follows fcm                             | [ups fcm]               | fcm webpush           |           | fcm webpush inbox
  webpush is no part of ups                       | [ups]                   | webpush               |           | inbox
  webpush is an item of the sequence              | [webpush ups fcm]       | fcm webpush           |           | webpush fcm inbox
  inside ups the one bound last is first          | [ups]                   | huawei* xiaomi        |           | huawei xiaomi inbox
  and so the other way round                      | [ups]                   | huawei xiaomi*        |           | xiaomi huawei inbox
  the one bound last has no certificate           | [ups]                   | huawei* xiaomi        | xiaomi    | xiaomi inbox
  the one bound last has ended                    | [ups]                   | oppo                  |           | oppo inbox
  ups is these, xiaomi and huawei first           | [ups]                   | huawei xiaomi honor   |           | xiaomi huawei honor inbox
  and these                                       | [ups]                   | flyme vivo oppo       |           | flyme oppo vivo inbox

  an iPhone, whatever the sequence says           | [fcm]                   | apns                  |           | apns inbox
  an iPhone with a token of fcm as well           |                         | apns fcm              |           | apns inbox
  an iPhone of an app that has only fcm           |                         | apns fcm              | fcm       | inbox
  an iPhone of an app that has nothing            | ospush_only             | apns                  | -         | none

  bound in development, certified in production   |                         | apns:0                | apns      | inbox
  bound in production, certified in development   |                         | apns                  | apns:0    | inbox
  bound and certified in development              |                         | apns:0                | apns:0    | apns inbox
  certified in both                               |                         | fcm:0                 | fcm fcm:0 | fcm inbox
  no certificate at all                           |                         | fcm huawei*           | -         | inbox
  the first vendor has no certificate             |                         | fcm huawei*           | fcm       | fcm inbox
  certified for other vendors                     |                         | fcm                   | apns vivo | inbox

  a command, online                               | cmd                     | online xiaomi*        |           | nativepush inbox
  a command to an iPhone                          | cmd                     | apns                  |           | apns inbox
  a command passes through fcm                    | cmd                     | fcm                   |           | fcm inbox
  a command passes through huawei                 | cmd                     | huawei*               |           | huawei inbox
  a command passes through honor                  | cmd                     | honor*                |           | honor inbox
  a command passes through harmony                | cmd                     | harmony*              |           | harmony inbox
  a command passes through no other               | cmd                     | flyme oppo* vivo      |           | inbox
  nor through webpush                             | cmd                     | webpush               |           | inbox
  nor through xiaomi                              | cmd                     | xiaomi*               |           | inbox
  a command leaves out who cannot carry it        | cmd                     | xiaomi* fcm           |           | fcm inbox
  a command, vendors only, none can carry it      | cmd ospush_only         | vivo*                 |           | none
  an image goes where a text goes                 | image                   | vivo*                 |           | vivo inbox
`;

const rows = TABLE.split('\n')
  .filter((line) => line.includes('|'))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string, string]);

const wordsOf = (cell: string): string[] => cell.split(/\s+/).filter(Boolean);

function reachOf(words: readonly string[]): Reach {
  const bits = words.map((word) => {
    const [vendor, environment = '1'] = word.replace('*', '').split(':');
    assert.ok(vendorNames.includes(vendor as VendorName), `${word} is a vendor`);
    return reachBit(vendor as VendorName, Number(environment) as Environment);
  });
  return bits.reduce((reach, bit) => reach | bit, 0);
}

function toRules(request: string, credentials: string): RouteRules {
  const [, sequence = 'ups fcm'] = /\[(.*)\]/.exec(request) ?? [];
  const words = wordsOf(request.replace(/\[.*\]/, ''));
  return {
    strategy: (words.find((word) => word.endsWith('_only')) ?? 'combined') as Strategy,
    messageType: (words.find((word) => !word.endsWith('_only')) ?? 'text') as MessageType,
    ospushSequence: wordsOf(sequence),
    credentialReach: reachOf(credentials === '-' ? [] : credentials === '' ? vendorNames : wordsOf(credentials)),
  };
}

function toDevice(device: string): RoutedDevice {
  const words = wordsOf(device);
  const bindings = words.filter((word) => word !== 'online' && word !== 'forgotten');
  const latest = bindings.find((word) => word.endsWith('*'))?.slice(0, -1);
  return {
    reach: reachOf(bindings),
    latestDomestic: (latest as VendorName | undefined) ?? null,
    online: words.includes('online'),
    nativeTarget: !words.includes('forgotten'),
  };
}

/** Returns all routes in order, up to the last one: the inbox or none. */
function routeText(rules: RouteRules, device: RoutedDevice): string {
  const tried = new Set<SliceChannel>();
  const way: string[] = [];
  let route: Route = firstRoute(rules, device);
  for (;;) {
    assert.ok(!route.toInbox || route.channel === 'nativepush', 'only the Carillon channel has an inbox');
    way.push(route.toInbox ? 'inbox' : route.channel);
    if (route.toInbox || route.channel === 'none') return way.join(' ');
    tried.add(route.channel);
    route = nextRoute(rules, device, tried);
    assert.ok(way.length < 10, `the routes do not end: ${way.join(' ')}`);
  }
}

describe('routes of a notification', () => {
  for (const [when, asked, device, certified, way] of rows) {
    test(`${when}: ${way.replaceAll(' ', ', then ')}`, () => {
      assert.equal(routeText(toRules(asked, certified), toDevice(device)), way);
    });
  }
});

test('tries the next vendor before the inbox if the device came online in the meantime', () => {
  const [rules, device] = [toRules('', ''), toDevice('online huawei* fcm')];
  assert.deepEqual(nextRoute(rules, device, new Set(['huawei'])), { channel: 'fcm', toInbox: false });
  assert.deepEqual(nextRoute(rules, device, new Set(['huawei', 'fcm'])), { channel: 'nativepush', toInbox: true });
});
