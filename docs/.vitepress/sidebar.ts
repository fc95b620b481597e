import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf } from './pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Group {
  readonly text: string;
  /** Paths of the pages. A pair also contains a title for the sidebar, which replaces the title of the page. */
  readonly pages: readonly (string | readonly [string, string])[];
}

const vendors = ['apns', 'fcm', 'webpush', 'huawei', 'harmony', 'honor', 'xiaomi', 'oppo', 'vivo', 'meizu'];

/** All pages of the site, in reading order. A test reports missing pages. */
export const groups: readonly Group[] = [
  {
    text: 'Start',
    pages: [
      ['README.md', 'Overview of Carillon'],
      'docs/start/quickstart.md',
      'docs/start/first-notification.md',
      'docs/start/concepts.md',
      'docs/start/how-delivery-works.md',
      'docs/start/comparison.md',
      'docs/start/status.md',
      'docs/start/faq.md',
    ],
  },
  {
    text: 'Backend guides',
    pages: [
      'docs/backend/authentication.md',
      'docs/backend/audiences.md',
      'docs/backend/schedule-expire-cancel.md',
      'docs/backend/recall.md',
      'docs/backend/approval.md',
      'docs/backend/idempotency.md',
      'docs/backend/statistics.md',
      'docs/backend/debug-a-notification.md',
      'docs/backend/phone-states.md',
    ],
  },
  {
    text: 'App guides',
    pages: [
      'docs/app/mqtt-client.md',
      'docs/app/browser.md',
      'docs/app/android.md',
      'docs/app/react-native.md',
      'docs/app/android-troubleshooting.md',
      'docs/app/android-store-review.md',
      'docs/app/android-privacy.md',
      'docs/app/android-without-sdk.md',
      'docs/app/unifiedpush.md',
      'docs/app/ios.md',
      'docs/app/receipts.md',
      'docs/app/tags-alias-badge.md',
      'docs/app/support-matrix.md',
      'examples/device-page/README.md',
      'examples/android-app/README.md',
    ],
  },
  {
    text: 'Vendor guides',
    pages: [
      ['docs/vendors/README.md', 'Vendor comparison'],
      'docs/vendors/credentials.md',
      ...vendors.map((vendor) => `docs/vendors/${vendor}.md`),
      'docs/vendors/mismatches.md',
      'docs/vendors/confirm-live.md',
    ],
  },
  {
    text: 'Migrate',
    pages: [
      'docs/migrate/README.md',
      'docs/migrate/jpush.md',
      'docs/migrate/getui.md',
      'docs/migrate/fcm.md',
      'docs/migrate/onesignal.md',
      'docs/migrate/gorush.md',
    ],
  },
  {
    text: 'Operate',
    pages: [
      'docs/operate/requirements.md',
      'docs/operate/compose.md',
      'docs/operate/systemd.md',
      'docs/operate/access.md',
      'docs/operate/operators.md',
      'docs/operate/console.md',
      'docs/operate/pgbouncer.md',
      'docs/operate/proxies.md',
      'docs/operate/proxy-limits.md',
      'docs/operate/keys.md',
      'docs/operate/ceilings.md',
      'docs/operate/monitoring.md',
      'docs/operate/alerts.md',
      'docs/operate/troubleshooting.md',
      'docs/operate/troubleshooting-infrastructure.md',
      'docs/operate/incidents.md',
      'docs/operate/lost-commits.md',
      'docs/operate/log-events.md',
      'docs/operate/audit.md',
      'docs/operate/backup.md',
      'docs/operate/restore.md',
      'docs/operate/upgrade.md',
      'docs/operate/personal-data.md',
    ],
  },
  {
    text: 'Reference',
    pages: [
      ['docs/reference/http/README.md', 'HTTP API'],
      ['docs/reference/http/push.md', 'HTTP: push'],
      ['docs/reference/http/drafts.md', 'HTTP: drafts'],
      ['docs/reference/http/tokens.md', 'HTTP: tokens'],
      ['docs/reference/http/devices.md', 'HTTP: devices'],
      ['docs/reference/http/apps.md', 'HTTP: apps and admin tokens'],
      ['docs/reference/http/users.md', 'HTTP: users and groups'],
      ['docs/reference/http/vendors.md', 'HTTP: credentials and channels'],
      ['docs/reference/http/oversight.md', 'HTTP: device search, audit, ledger'],
      ['docs/reference/http/operators.md', 'HTTP: operators'],
      'docs/reference/errors.md',
      'docs/reference/permissions.md',
      'docs/reference/mqtt.md',
      'docs/reference/counters.md',
      'docs/reference/configuration.md',
      'docs/reference/metrics.md',
      'docs/reference/cli.md',
      ['sdk/README.md', 'TypeScript client'],
      ['sdks/android/README.md', 'Android SDK'],
      ['sdks/android/vendor-stubs/README.md', 'Android SDK: vendor stubs'],
      ['sdks/react-native/README.md', 'React Native package'],
      ['sdks/test-vectors/README.md', 'Test vectors'],
      ...vendors.map((vendor) => `docs/reference/vendors/${vendor}.md`),
      'docs/reference/versioning.md',
      'CHANGELOG.md',
      'docs/roadmap.md',
    ],
  },
  {
    text: 'Internals',
    pages: [
      'ARCHITECTURE.md',
      'docs/glossary.md',
      'docs/internals/ledger.md',
      'docs/internals/scale.md',
      'SECURITY.md',
      'CONTRIBUTING.md',
      'simulators/README.md',
      'migrations/README.md',
      'docs/internals/licences.md',
    ],
  },
  { text: 'Decisions', pages: globSync('docs/decisions/*.md', { cwd: root }).sort() },
];

export const chineseGroups: readonly Group[] = [
  {
    text: '开始',
    pages: [
      ['README.zh.md', 'Carillon 是什么'],
      'docs/zh/start/quickstart.md',
      'docs/zh/start/first-notification.md',
      'docs/zh/start/concepts.md',
    ],
  },
  {
    text: '应用',
    pages: [
      'docs/zh/app/android.md',
      'docs/zh/app/react-native.md',
      'docs/zh/app/android-troubleshooting.md',
      'docs/zh/app/android-store-review.md',
      'docs/zh/app/android-privacy.md',
      'docs/zh/app/support-matrix.md',
    ],
  },
  {
    text: '厂商通道',
    pages: vendors
      .filter((vendor) => !['apns', 'fcm', 'webpush'].includes(vendor))
      .map((vendor) => `docs/zh/vendors/${vendor}.md`),
  },
  { text: '迁移', pages: ['docs/zh/migrate/jpush.md', 'docs/zh/migrate/getui.md'] },
  {
    text: '运维',
    pages: [
      'docs/zh/operate/compose.md',
      'docs/zh/operate/console.md',
      'docs/zh/operate/troubleshooting.md',
      'docs/zh/operate/personal-data.md',
    ],
  },
  { text: '参考', pages: ['docs/zh/reference/errors.md', 'docs/zh/reference/counters.md'] },
  { text: 'English', pages: [['README.md', 'All pages in English']] },
];

export const sidebar = () => groups.map(toSidebarGroup);

/** Returns a menu of the navigation bar with the pages of these groups. */
export function menuOf(text: string, ...names: readonly string[]) {
  const items = groups
    .filter((group) => names.includes(group.text))
    .map(toSidebarGroup)
    .map((group) => ({ text: group.text, items: group.items }));
  const paths = items.flatMap((group) => group.items.map(({ link }) => link.split('/')[1]));
  return { text, items, activeMatch: `^/(${[...new Set(paths)].join('|')})/` };
}

export const chineseSidebar = () => chineseGroups.map(toSidebarGroup);

/** Only the group of the current page is open, so that the reader sees its other pages without scrolling. */
function toSidebarGroup({ text, pages }: Group) {
  const items = pages
    .map((page) => (typeof page === 'string' ? ([page, undefined] as const) : page))
    .filter(([page]) => existsSync(join(root, page)))
    .map(([page, title]) => ({
      text: title ?? titleOf(page),
      link: `/${addressOf(page).replace(/(index)?\.md$/, '')}`,
    }));
  return { text, items, collapsed: true };
}

function titleOf(page: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1]?.replaceAll('`', '') ?? page;
}
