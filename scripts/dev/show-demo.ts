import type { DeviceCredentials } from '../../sdk/src/device/index.ts';
import type { HistoryApp } from './history/create-history.ts';

/** The running demo, as printed by `npm run dev -- --json`. */
export interface Demo {
  readonly base_url: string;
  readonly mqtt_url: string;
  readonly websocket_url: string;
  readonly app_id: string;
  readonly admin_token: string;
  readonly users: readonly { readonly user_id: number; readonly name: string; readonly password: string }[];
  /** The apps of `--demo`. Empty without the option. */
  readonly history_apps: readonly HistoryApp[];
  /** URL of the page that shows all phones. */
  readonly phones_url: string;
  readonly console_url: string;
  /** The operator who can sign in to the console. */
  readonly operator: { readonly email: string; readonly password: string };
  /** Control URL of each vendor simulator. It lists the received notifications. */
  readonly simulators: Readonly<Record<string, string>>;
}

/**
 * Formats the demo as commands to paste. They fit on one screen. The recommended first command comes last, where it
 * stays visible.
 */
export function showDemo(demo: Demo, phone: DeviceCredentials): string {
  const [ada, bo] = demo.users as [Demo['users'][number], Demo['users'][number]];
  const { hostname, port } = new URL(demo.mqtt_url);
  const notify = { audience: 'all', message: { title: 'Hello', body: 'One request, every device.' } };
  return `
Carillon is ready. App "${demo.app_id}"; users ${ada.name} (${ada.user_id}) and ${bo.name} (${bo.user_id}). Next steps: docs/start/first-notification.md.

Send a notification to all devices by HTTP:

  ${curl(demo, '/push/notify', notify, demo.admin_token)}

Take over the session of ${ada.name}'s device with another MQTT client (browsers connect to ${demo.websocket_url}):

  npx mqtt subscribe -h ${hostname} -p ${port} -i ${phone.device_guid} -u ${phone.push_token} -P ${phone.token} -t push -q 1

Open the console in a browser. Sign in as ${demo.operator.email} with the password ${demo.operator.password}:

  ${demo.console_url}

View all phones in a browser, and send to them. ${bo.name} has one per vendor:

  ${demo.phones_url}

Read the API reference in a browser. Its examples work after \`source .dev.env\`:

  ${demo.base_url}/reference
${showHistoryApps(demo)}
${ada.name} has a connected device on the Carillon channel. Its notifications are printed in this terminal.
Send to all devices, from a second terminal in this directory:

  source .dev.env
  npx carillon push send --all --yes --title Hello --body 'One request, every device.' --watch

The next start has the same ports, admin token and devices. npm run dev -- --fresh starts over.
Press Ctrl-C to stop everything.
`;
}

/** Formats the commands that list the tasks of the apps of `--demo`. */
function showHistoryApps({ history_apps }: Demo): string {
  if (history_apps.length === 0) return '';
  const commands = history_apps.map(
    ({ app_id, admin_token }) =>
      `  CARILLON_APP_ID=${app_id} CARILLON_ADMIN_TOKEN=${admin_token} npx carillon task list\n`,
  );
  return `\nList the tasks of the apps with two weeks of history, after \`source .dev.env\`:\n\n${commands.join('')}`;
}

function curl(demo: Demo, path: string, body: object, token: string): string {
  return `curl -s ${demo.base_url}${path} -H 'app_id: ${demo.app_id}' -H 'access-token: ${token}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}
