import type { ApiContext, ApiRequest } from '../context.ts';

const MINUTE_SECONDS = 60;

/** Limits how often an admin token or an operator can read secrets, so that a stolen token or session cannot read all of them quickly. */
export async function limitSecretReads(
  { limits, settings }: ApiContext,
  { caller, token, setHeader }: Pick<ApiRequest, 'caller' | 'token' | 'setHeader'>,
): Promise<void> {
  if (token.kind === 'user') return;
  const limit = {
    key: `${caller.appId} secrets:${token.kind === 'admin' ? token.tokenId : `operator-${token.operatorId}`}`,
    pointsMax: settings.CARILLON_SECRET_READS_PER_MINUTE,
    seconds: MINUTE_SECONDS,
  };
  await limits.take(setHeader, limit, 'too-many-requests');
}
