/**
 * Bytes that both servers are sent. Without `differs` they must answer alike, in the same packets with the same codes; only
 * where Mosquitto goes without a word, ours may say why, which MQTT 5 allows [MQTT5 4.13.1].
 */
export interface DifferentialRow {
  readonly name: string;
  /** The first packet; a good CONNECT if it is absent. */
  readonly connect?: Buffer;
  /** What follows when the CONNECT was accepted. */
  readonly bytes?: Buffer;
  /** A deliberate difference: what each must answer, and why it is so. */
  readonly differs?: { readonly ours: readonly string[]; readonly theirs: readonly string[]; readonly why: string };
}

/** The same, but for what ours says before it closes and Mosquitto does not. */
export function isEquivalent(ours: readonly string[], theirs: readonly string[]): boolean {
  const lastPacket = ours.at(-2) ?? '';
  const isRefusal = /^(disconnect|connack) 0x(?!00)/.test(lastPacket) && ours.at(-1) === 'closed';
  const silent = isRefusal ? [...ours.slice(0, -2), 'closed'] : ours;
  return [ours, silent].some((answers) => answers.join() === theirs.join());
}
