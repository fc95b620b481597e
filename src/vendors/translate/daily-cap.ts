/** How many messages of a kind a phone gets of one app in a day. */
export interface DailyCap {
  readonly usual: number;
  /** Of an app that is licensed for news. */
  readonly news: number;
}

/** The end of a sentence that says how many a phone gets. */
export const dailyCapText = ({ usual, news }: DailyCap): string =>
  `a phone gets ${usual} of an app a day (${news} of one that is licensed for news)`;
