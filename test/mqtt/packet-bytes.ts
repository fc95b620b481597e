/** Packets built by hand, valid or invalid. They do not use a codec, because a codec cannot encode invalid packets. */

export type Version = 4 | 5;
type Part = string | number | readonly number[] | Buffer;

/** Encodes an MQTT string: its length in two bytes, followed by its bytes. */
export const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint16(bytes.length), bytes]);
};

export const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

/** Joins parts. Strings are hexadecimal. */
export const join = (...parts: readonly Part[]): Buffer =>
  Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part, 'hex');
      return typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part);
    }),
  );

export const lengthOf = (length: number): Buffer =>
  length < 128 ? Buffer.from([length]) : Buffer.concat([Buffer.from([(length % 128) | 0x80]), lengthOf(length >> 7)]);

export function packet(first: number, ...parts: readonly Part[]): Buffer {
  const body = join(...parts);
  return join(first, lengthOf(body.length), body);
}

/** Encodes the properties of a packet. MQTT 3.1.1 has no properties. */
export const properties = (version: Version, ...parts: readonly Part[]): Buffer => {
  const body = join(...parts);
  return version === 5 ? join(lengthOf(body.length), body) : Buffer.alloc(0);
};

export interface Credentials {
  readonly clientId: string;
  readonly userName: string;
  readonly password: string;
}

/** Returns a CONNECT that is valid except for the given changes. */
export function connectBytes(
  version: Version,
  { clientId, userName, password }: Credentials,
  change: {
    first?: number;
    protocol?: string;
    level?: number;
    flags?: number;
    keepAlive?: number;
    properties?: Part;
    clientId?: string | Buffer;
    will?: Buffer;
    end?: Part;
  } = {},
): Buffer {
  const flags = change.flags ?? 0xc2;
  return packet(
    change.first ?? 0x10,
    text(change.protocol ?? 'MQTT'),
    change.level ?? version,
    flags,
    uint16(change.keepAlive ?? 60),
    properties(version, change.properties ?? []),
    text(change.clientId ?? clientId),
    change.will ?? [],
    (flags & 0x80) !== 0 ? text(userName) : [],
    (flags & 0x40) !== 0 ? text(password) : [],
    change.end ?? [],
  );
}

export const PINGREQ = packet(0xc0);

export const subscribe = (version: Version, filter: string | Buffer, options: number, id = 7): Buffer =>
  packet(0x82, uint16(id), properties(version), text(filter), options);

export const unsubscribe = (version: Version, filter: string | Buffer, id = 8): Buffer =>
  packet(0xa2, uint16(id), properties(version), text(filter));

export function publish(
  version: Version,
  topic: string | Buffer,
  change: { first?: number; id?: number; properties?: Part; payload?: Part } = {},
): Buffer {
  const first = change.first ?? 0x32;
  const hasId = ((first >> 1) & 3) !== 0;
  return packet(
    first,
    text(topic),
    hasId ? uint16(change.id ?? 9) : [],
    properties(version, change.properties ?? []),
    change.payload ?? Buffer.from('{"badge":3}'),
  );
}
