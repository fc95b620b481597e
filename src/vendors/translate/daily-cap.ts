/** The number of messages of one kind that a device can receive from one app per day. */
export interface DailyCap {
  readonly usual: number;
  /** For an app that is licensed for news. */
  readonly news: number;
}
