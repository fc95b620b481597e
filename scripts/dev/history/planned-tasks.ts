import type { VendorName } from '#src/domain/channel.ts';

/** Number of days before today that have tasks. */
export const historyDays = 14;

/** A task of the past, before its rows are inserted. */
export interface PlannedTask {
  readonly at: Date;
  /** `one-user` stands for a user who is chosen when the rows are inserted. */
  readonly audience:
    | { readonly kind: 'all' }
    | { readonly kind: 'tag'; readonly names: readonly string[] }
    | { readonly kind: 'one-user' };
  readonly title: string;
  readonly body: string;
  /** A vendor that rejected the credentials while this task was sent. */
  readonly rejectedBy?: VendorName;
  readonly cancelled?: boolean;
}

interface Template {
  readonly hour: number;
  /** The task was sent yesterday, and each time this number of days earlier. A task of every day is also sent today. */
  readonly everyDays: number;
  readonly audience: PlannedTask['audience'];
  readonly title: string;
  readonly body: string;
}

const all = { kind: 'all' } as const;
const tag = (name: string) => ({ kind: 'tag', names: [name] }) as const;
const oneUser = { kind: 'one-user' } as const;

const templates: Readonly<Record<string, readonly Template[]>> = {
  shop: [
    {
      hour: 9,
      everyDays: 3,
      audience: all,
      title: 'Lantern festival sale',
      body: 'Everything red is 20 % off until Sunday.',
    },
    {
      hour: 12,
      everyDays: 2,
      audience: tag('vip'),
      title: 'Early access',
      body: 'New arrivals are open to you one day early.',
    },
    {
      hour: 18,
      everyDays: 2,
      audience: tag('city-shanghai'),
      title: '上海门店周末活动',
      body: '到店即送灯笼一只，数量有限。',
    },
    {
      hour: 20,
      everyDays: 4,
      audience: tag('abandoned-cart'),
      title: 'Your basket is waiting',
      body: 'Two of the items are almost sold out.',
    },
    ...Array.from({ length: 12 }, (_, i) => ({
      hour: 8 + i,
      everyDays: 1,
      audience: oneUser,
      title: i % 3 === 0 ? '您的订单已发货' : 'Your order has shipped',
      body: `Parcel ${4_120 + i * 37} arrives tomorrow between 9 and 12.`,
    })),
  ],
  news: [
    { hour: 6, everyDays: 1, audience: all, title: 'Good morning', body: 'Five stories for today, in two minutes.' },
    {
      hour: 17,
      everyDays: 2,
      audience: tag('markets'),
      title: 'Markets close higher',
      body: 'Shipping and steel lead the gains.',
    },
    {
      hour: 21,
      everyDays: 3,
      audience: tag('sports'),
      title: 'Final score',
      body: 'Harbour City wins in the last minute.',
    },
  ],
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns the tasks of an app in the two weeks before `now`, oldest first. The days are counted back from today, so that
 * the history is the same on each day.
 */
export function plannedTasks(appId: string, now: Date): PlannedTask[] {
  const today = Math.floor(now.getTime() / DAY_MS);
  return Array.from({ length: historyDays + 1 }, (_, daysAgo) => daysAgo)
    .flatMap((daysAgo) =>
      (templates[appId] ?? [])
        .filter(({ everyDays }) => (daysAgo - 1) % everyDays === 0)
        .map(({ hour, everyDays: _everyDays, ...task }, i) => {
          const at = new Date((today - daysAgo) * DAY_MS + hour * HOUR_MS + i * 97_000);
          // OPPO rejects the credentials of the shop since yesterday.
          const isRecent = appId === 'shop' && daysAgo <= 1;
          const isCancelled = task.audience.kind === 'tag' && daysAgo === 7;
          return {
            ...task,
            at,
            ...(isRecent && { rejectedBy: 'oppo' as const }),
            ...(isCancelled && { cancelled: true }),
          };
        }),
    )
    .filter(({ at }) => at < now)
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}
