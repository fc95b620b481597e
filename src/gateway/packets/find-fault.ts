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

/**
 * Checks for device packets, by the packet type in the upper half of the first byte. `flags` is the required value of
 * the lower half.
 */
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
 * Returns the MQTT 5 reason code that the session must end with. Returns undefined if the packet is well formed. The
 * parser accepts input that the standards forbid: invalid UTF-8, misplaced or duplicate properties, extra bytes and a
 * packet id of zero.
 */
export function findFault(bytes: Buffer, version: ProtocolVersion): number | undefined {
  const type = (bytes[0] as number) >> 4;
  const layout = layouts[type];
  if (!layout) return forbiddenPackets[type] ?? reason.malformed;
  // Reserved bits have one valid value. Any other value ends the connection [MQTT-2.1.3-1; 3.1.1: MQTT-2.2.2-2].
  if (layout.flags !== undefined && ((bytes[0] as number) & 0x0f) !== layout.flags) return reason.malformed;
  const cursor = new PacketCursor(bytes, 1);
  cursor.skipRemainingLength(version);
  layout.check(cursor, version);
  return cursor.fault;
}
