import type { PushValidateResponse } from '../../../../sdk/src/index.ts';
import type { ChannelName } from '../../shared/channels.ts';

/** A field that is not sent, or content that a channel changes or restricts. */
export type Warning =
  | { readonly kind: 'ignored'; readonly field: string }
  | { readonly kind: 'channel'; readonly channel: ChannelName; readonly text: string };

/** Returns each warning once, although a vendor can have one for each environment. */
export function warningsOf({ ignored, cuts, demotions }: PushValidateResponse): readonly Warning[] {
  const warnings: readonly Warning[] = [
    ...ignored.map((field) => ({ kind: 'ignored', field }) as const),
    ...[...cuts, ...demotions].map(
      ({ channel, text }) => ({ kind: 'channel', channel: channel as ChannelName, text }) as const,
    ),
  ];
  return [...new Map(warnings.map((warning) => [Object.values(warning).join('\n'), warning])).values()];
}
