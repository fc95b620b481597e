import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';

/** At most 200 characters of a text of the provider, because a browser can also send it in the address. */
const TEXT_CHARACTERS_MAX = 200;

/**
 * Returns the fields of a failed sign-in that are logged. Other fields are omitted, because causes contain the claims of
 * the ID token, such as the name and the email address. The cause of the cause can quote the ID token.
 */
export function describeProviderError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { cause } = error;
  return {
    ...nameError(error),
    ...((error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) && {
      error: error.error.slice(0, TEXT_CHARACTERS_MAX),
      error_description: error.error_description?.slice(0, TEXT_CHARACTERS_MAX),
    }),
    ...(cause instanceof Error && { cause: nameError(cause) }),
  };
}

function nameError(error: Error): { readonly name: string; readonly message: string; readonly code?: unknown } {
  const { code } = error as { readonly code?: unknown };
  return { name: error.name, message: error.message, ...(code !== undefined && { code }) };
}
