import { createHash } from 'node:crypto';

/** What a request says, by name, as it is before it becomes a form. */
export type Parameters = Readonly<Record<string, string>>;

/** MD5 over the sorted names and values and the secret is Meizu's choice; the connection is what keeps the secret. */
export function signFlyme(parameters: Parameters, appSecret: string): string {
  const text = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('');
  return createHash('md5').update(`${text}${appSecret}`).digest('hex');
}

/** The form of a request, signed over the very texts that are in it. */
export function signedForm(parameters: Parameters, appSecret: string): string {
  return new URLSearchParams({ ...parameters, sign: signFlyme(parameters, appSecret) }).toString();
}
