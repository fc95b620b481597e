import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf } from './pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Group {
  readonly text: string;
  /** Paths of the pages. A pair also contains a title for the sidebar, which replaces the title of the page. */
  readonly pages: readonly (string | readonly [string, string])[];
  readonly collapsed?: boolean;
}

/** All pages of the site, in reading order. A test reports missing pages. */
export const groups: readonly Group[] = [
  {
    text: 'Get started',
    pages: [
      ['README.md', 'Overview'],
      'docs/first-push.md',
      'docs/how-it-works.md',
      'docs/devices.md',
      'docs/counters.md',
      'docs/coming-from.md',
    ],
  },
  {
    text: 'HTTP API',
    pages: [
      ['docs/reference.md', 'API overview'],
      ['docs/reference/push.md', 'Push'],
      ['docs/reference/tokens.md', 'Tokens'],
      ['docs/reference/devices.md', 'Devices'],
      ['docs/reference/apps.md', 'Apps and admin tokens'],
      ['docs/reference/people.md', 'Users and groups'],
      ['docs/reference/vendors.md', 'Credentials and channels'],
      ['docs/reference/oversight.md', 'Device search, audit and ledger'],
      ['docs/callers.md', 'Authentication and permissions'],
      'docs/problems.md',
    ],
  },
  {
    text: 'Devices and clients',
    pages: ['docs/mqtt.md', ['sdk/README.md', 'TypeScript client'], 'docs/cli.md', 'examples/device-page/README.md'],
  },
  {
    text: 'Vendors',
    pages: [
      ['docs/vendors/README.md', 'Vendor comparison'],
      ['docs/certificates.md', 'Vendor credentials'],
      'docs/vendors/apns.md',
      'docs/vendors/fcm.md',
      'docs/vendors/huawei.md',
      'docs/vendors/honor.md',
      'docs/vendors/xiaomi.md',
      'docs/vendors/oppo.md',
      'docs/vendors/vivo.md',
      'docs/vendors/flyme.md',
      'docs/vendors/wrong-world.md',
    ],
  },
  {
    text: 'Operate',
    pages: [
      'docs/deploy.md',
      'docs/operating.md',
      'docs/settings.md',
      'docs/keys.md',
      'docs/proxies.md',
      'docs/metrics.md',
      'docs/runbook.md',
      'docs/backup.md',
      'docs/upgrade.md',
      'CHANGELOG.md',
    ],
  },
  {
    text: 'Internals',
    pages: [
      'docs/glossary.md',
      'ARCHITECTURE.md',
      'SECURITY.md',
      'CONTRIBUTING.md',
      'simulators/README.md',
      'migrations/README.md',
      'docs/licences.md',
    ],
  },
  { text: 'Decisions', collapsed: true, pages: globSync('docs/decisions/*.md', { cwd: root }).sort() },
];

export const chineseGroups: readonly Group[] = [
  { text: '入门', pages: [['README.zh.md', 'Carillon 是什么'], 'docs/zh/first-push.md'] },
  { text: 'English', pages: [['README.md', 'All pages']] },
];

export const sidebar = () => groups.map(toSidebarGroup);
export const chineseSidebar = () => chineseGroups.map(toSidebarGroup);

function toSidebarGroup({ text, pages, collapsed }: Group) {
  const items = pages
    .map((page) => (typeof page === 'string' ? ([page, undefined] as const) : page))
    .filter(([page]) => existsSync(join(root, page)))
    .map(([page, title]) => ({
      text: title ?? titleOf(page),
      link: `/${addressOf(page).replace(/(index)?\.md$/, '')}`,
    }));
  return { text, items, ...(collapsed === undefined ? {} : { collapsed }) };
}

function titleOf(page: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1]?.replaceAll('`', '') ?? page;
}
