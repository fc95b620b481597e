import { createHash } from 'node:crypto';

/** The parameters of a request by name, before they are form-encoded. */
export type Parameters = Readonly<Record<string, string>>;

/**
 * Returns the MD5 hash of the sorted parameters followed by the secret. Meizu requires MD5; only TLS protects the
 * secret.
 */
export function signFlyme(parameters: Parameters, appSecret: string): string {
  const text = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('');
  return createHash('md5').update(`${text}${appSecret}`).digest('hex');
}

/** Returns the form body of a request, with a signature over the parameters before form encoding. */
export function signedForm(parameters: Parameters, appSecret: string): string {
  return new URLSearchParams({ ...parameters, sign: signFlyme(parameters, appSecret) }).toString();
}
