import { createPublicKey, verify } from 'node:crypto';
import { parseObject } from '../kit/read.ts';

const DAY_SECONDS = 24 * 60 * 60;
const HEADER = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]{87})$/;
/** Domains of contacts that Apple rejects. */
const UNREACHABLE_DOMAIN = /(^|\.)(localhost|invalid)$/i;

/** Why a push service rejects the authorization of a request. */
export type VapidDefect = 'header' | 'signature' | 'audience' | 'expiry' | 'subject';

/**
 * Checks the header `Authorization` (RFC 8292) for a push service. Every service checks the signature, the audience and
 * the expiry. Only Apple checks the subject.
 */
export function findVapidDefect(
  header: string,
  host: string,
  nowSeconds: number,
  { checksSubject }: { readonly checksSubject: boolean },
): VapidDefect | undefined {
  const [, head = '', claims = '', signature = '', key = ''] = HEADER.exec(header) ?? [];
  const { typ, alg } = parseObject(Buffer.from(head, 'base64url')) ?? {};
  const publicKey = readKey(key);
  if (typ !== 'JWT' || alg !== 'ES256' || !publicKey) return 'header';
  const signed = Buffer.from(`${head}.${claims}`);
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', signed, options, Buffer.from(signature, 'base64url'))) return 'signature';
  const { aud, exp, sub } = parseObject(Buffer.from(claims, 'base64url')) ?? {};
  if (aud !== `https://${host}`) return 'audience';
  if (typeof exp !== 'number' || exp <= nowSeconds || exp > nowSeconds + DAY_SECONDS) return 'expiry';
  return checksSubject && !isContact(sub) ? 'subject' : undefined;
}

function readKey(text: string) {
  const point = Buffer.from(text, 'base64url');
  const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url');
  try {
    return createPublicKey({
      key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
      format: 'jwk',
    });
  } catch {
    return undefined;
  }
}

function isContact(value: unknown): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const domain = url?.protocol === 'mailto:' ? url.pathname.split('@')[1] : url?.hostname;
  const isKnownScheme = url?.protocol === 'mailto:' || url?.protocol === 'https:';
  return isKnownScheme && domain?.includes('.') === true && !UNREACHABLE_DOMAIN.test(domain);
}
