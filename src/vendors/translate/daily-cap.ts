/** The number of messages of one kind that a device can receive from one app per day. */
export interface DailyCap {
  readonly usual: number;
  /** For an app that is licensed for news. */
  readonly news: number;
}

/** Returns a phrase that states a daily cap, for use after `Daily limit: `. */
export const dailyCapText = ({ usual, news }: DailyCap): string =>
  `a device gets ${usual} messages per app per day (${news} if the app is licensed for news)`;
