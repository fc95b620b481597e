import type { Certificate, Channel } from '../../../../sdk/src/index.ts';
import { environmentOf } from '../../shared/channels.ts';
import { urgencyOf } from '../overview/attention.ts';

/** Saved credentials with the channel that uses them. */
export interface Credential {
  readonly certificate: Certificate;
  /** Undefined if the state of the channels could not be loaded. */
  readonly channel: Channel | undefined;
  /** The lower, the more urgent. Infinity if an operator has nothing to do. */
  readonly urgency: number;
}

/** Returns the credentials of each environment, the most urgent first. */
export function orderCredentials(
  certificates: readonly Certificate[],
  channels: readonly Channel[],
  nowMs: number,
): Readonly<Record<'production' | 'development', readonly Credential[]>> {
  const credentials = certificates.map((certificate): Credential => {
    const channel = channels.find(
      ({ provider, environment }) => provider === certificate.provider && environment === certificate.environment,
    );
    return { certificate, channel, urgency: channel ? urgencyOf(channel, nowMs) : Number.POSITIVE_INFINITY };
  });
  // The difference of two infinities is not a number.
  credentials.sort((one, other) => (one.urgency === other.urgency ? 0 : one.urgency - other.urgency));
  const { production = [], development = [] } = Object.groupBy(credentials, ({ certificate }) =>
    environmentOf(certificate.environment),
  );
  return { production, development };
}

export const isUrgent = ({ urgency }: Credential): boolean => Number.isFinite(urgency);
