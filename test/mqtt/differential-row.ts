/**
 * A byte sequence that is sent to both servers. Without `differs`, both servers must respond with the same packets and
 * codes. There is one exception: where Mosquitto closes the connection without a packet, Carillon may send a reason
 * code first, which MQTT 5 allows [MQTT5 4.13.1].
 */
export interface DifferentialRow {
  readonly name: string;
  /** The first packet. Default: a valid CONNECT. */
  readonly connect?: Buffer;
  /** The bytes that follow if the CONNECT is accepted. */
  readonly bytes?: Buffer;
  /** A deliberate difference: the expected responses of each server, and the reason. */
  readonly differs?: { readonly ours: readonly string[]; readonly theirs: readonly string[]; readonly why: string };
}

/**
 * Returns whether both responses are equal, ignoring a reason code that only Carillon sends before it closes the
 * connection.
 */
export function isEquivalent(ours: readonly string[], theirs: readonly string[]): boolean {
  const lastPacket = ours.at(-2) ?? '';
  const isRefusal = /^(disconnect|connack) 0x(?!00)/.test(lastPacket) && ours.at(-1) === 'closed';
  const silent = isRefusal ? [...ours.slice(0, -2), 'closed'] : ours;
  return [ours, silent].some((answers) => answers.join() === theirs.join());
}
