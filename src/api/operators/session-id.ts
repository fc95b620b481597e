/** Returns the ID under which a session is listed: the first 53 bits of its hash, which do not help to guess it. */
export const sessionIdOf = (sessionHash: Buffer): bigint => sessionHash.readBigUInt64BE(0) >> 11n;
