import { pathDashboard } from './notification-path.ts';
import { type Dashboard, dashboardFile } from './panel.ts';
import { processesDashboard } from './processes.ts';

const dashboards: readonly Dashboard[] = [pathDashboard, processesDashboard];

/** The Grafana dashboards, by file. */
export const dashboardFiles: Readonly<Record<string, string>> = Object.fromEntries(
  dashboards.map((dashboard) => [`deploy/grafana/dashboards/${dashboard.uid}.json`, dashboardFile(dashboard)]),
);
