import type { ProtocolVersion } from '../codec.ts';
import { PacketCursor } from '../packet-cursor.ts';
import { reason } from '../reason-codes.ts';
import { checkDisconnect } from './disconnect.ts';
import { forbiddenPackets } from './forbidden-packets.ts';
import { checkPingreq } from './pingreq.ts';
import { checkPuback } from './puback.ts';
import { checkPublish } from './publish.ts';
import { checkPubrel } from './pubrel.ts';
import { checkSubscribe } from './subscribe.ts';
import { checkUnsubscribe } from './unsubscribe.ts';

/** How a device's packets begin: their type in the upper half of the first byte, and what the lower half must be. */
const layouts: Readonly<
  Record<number, { flags?: number; check: (cursor: PacketCursor, version: ProtocolVersion) => void }>
> = {
  3: { check: checkPublish },
  4: { flags: 0, check: checkPuback },
  6: { flags: 2, check: checkPubrel },
  8: { flags: 2, check: checkSubscribe },
  10: { flags: 2, check: checkUnsubscribe },
  12: { flags: 0, check: checkPingreq },
  14: { flags: 0, check: checkDisconnect },
};

/**
 * Why the session must end that this packet came in, as a reason code of MQTT 5; undefined: it is well formed. The
 * parser behind this one takes what the standards forbid: text that is no UTF-8, properties of other packets or twice,
 * bytes that belong to nothing, a packet id of zero.
 */
export function findFault(bytes: Buffer, version: ProtocolVersion): number | undefined {
  const type = (bytes[0] as number) >> 4;
  const layout = layouts[type];
  if (!layout) return forbiddenPackets[type] ?? reason.malformed;
  // Reserved bits have one value, and the connection ends at any other [MQTT-2.1.3-1; 3.1.1: MQTT-2.2.2-2].
  if (layout.flags !== undefined && ((bytes[0] as number) & 0x0f) !== layout.flags) return reason.malformed;
  const cursor = new PacketCursor(bytes, 1);
  cursor.skipRemainingLength(version);
  layout.check(cursor, version);
  return cursor.fault;
}
