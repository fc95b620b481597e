import type { PushTaskReportResponse } from '../../../../sdk/src/index.ts';
import type { ChannelName } from '../../shared/channels.ts';

type ReportedChannel = PushTaskReportResponse['channels'][number];
type Failure = ReportedChannel['failures'][number];

/** A reason of failures with the number of devices, and the responses of each channel. */
export interface FailureReason {
  readonly code: Failure['code'];
  readonly count: bigint;
  readonly channels: readonly {
    readonly channel: ChannelName;
    readonly detail: string | null;
    readonly count: bigint;
    /** Push token of one of the devices, if one is known. */
    readonly example: string | null;
  }[];
}

/** Returns the reasons of a task, and the channels of each reason, both with the most frequent first. */
export function reasonsOf(channels: readonly Pick<ReportedChannel, 'channel' | 'failures'>[]): FailureReason[] {
  const byCode = Map.groupBy(
    channels.flatMap(({ channel, failures }) =>
      failures.map((failure) => ({ ...failure, channel: channel as ChannelName })),
    ),
    ({ code }) => code,
  );
  return [...byCode]
    .map(([code, failures]) => ({
      code,
      count: failures.reduce((sum, { count }) => sum + count, 0n),
      channels: failures
        .map(({ channel, detail, count, push_token }) => ({ channel, detail, count, example: push_token }))
        .sort(mostFirst),
    }))
    .sort(mostFirst);
}

const mostFirst = (one: { readonly count: bigint }, other: { readonly count: bigint }): number =>
  Number(other.count - one.count);
