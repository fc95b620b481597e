import type { ApiContext, ApiRequest } from '../context.ts';

const MINUTE_SECONDS = 60;

/** A stolen admin token shall not read every secret at once. */
export async function limitSecretReads(
  { limits, settings }: ApiContext,
  { caller, token, setHeader }: Pick<ApiRequest, 'caller' | 'token' | 'setHeader'>,
): Promise<void> {
  if (token.kind !== 'admin') return;
  const limit = {
    key: `${caller.appId} secrets:${token.tokenId}`,
    pointsMax: settings.CARILLON_SECRET_READS_PER_MINUTE,
    seconds: MINUTE_SECONDS,
  };
  await limits.take(setHeader, limit, 'too-many-requests');
}
