import { providerByVendor, type Vendor } from '#src/domain/channel.ts';
import { callApi } from './call-api.ts';

/** What `npm run dev` has made, and what `npm run dev -- --json` prints. */
export interface Demo {
  readonly base_url: string;
  readonly mqtt_url: string;
  readonly websocket_url: string;
  readonly app_id: string;
  readonly admin_token: string;
  readonly users: readonly { readonly user_id: number; readonly name: string; readonly password: string }[];
  /** Where a phone of each vendor shows what arrives. */
  readonly phones_url: string;
  /** Where each vendor's simulator shows what reached it. */
  readonly simulators: Readonly<Record<string, string>>;
}

const DEVICE_GUID = 'demo-phone';

/** The demo as lines to paste. A device is logged in first, so that its line works as it stands. */
export async function showDemo(demo: Demo): Promise<string> {
  const [ada, bo] = demo.users as [Demo['users'][number], Demo['users'][number]];
  const login = { user_id: ada.user_id, password: ada.password, device_guid: DEVICE_GUID };
  const device = await callApi<{ token: string; push_token: string }>(demo, '/token/id', login);
  const { hostname, port } = new URL(demo.mqtt_url);
  const providers = Object.keys(demo.simulators)
    .map((vendor) => `${providerByVendor[vendor as Vendor]} is ${vendor}`)
    .join(', ');
  const notify = { audience: 'all', message: { title: 'Hello', body: 'One keyboard, nine bells.' } };
  return `
Carillon is ready. App "${demo.app_id}"; users ${ada.name} (${ada.user_id}) and ${bo.name} (${bo.user_id}).

${bo.name} has a phone of each vendor. Look at all of them:

  ${demo.phones_url}

Connect a device of ${ada.name} (any MQTT client is one), in a second terminal:

  npx mqtt subscribe -h ${hostname} -p ${port} -i ${DEVICE_GUID} -u ${device.push_token} -P ${device.token} -t push -q 1

Browsers connect to ${demo.websocket_url} (subprotocol mqtt).

Notify everybody:

  ${curl(demo, '/push/notify', notify, demo.admin_token)}

What became of it (put the task_id of the answer into the list):

  ${curl(demo, '/push/task/detail', { list: [1] }, demo.admin_token)}

The same by the command line, which also shows live bars and says what is wrong:

  export CARILLON_URL=${demo.base_url} CARILLON_APP_ID=${demo.app_id} CARILLON_ADMIN_TOKEN=${demo.admin_token}
  npx carillon push send --user-id ${ada.user_id} --title Hello --watch
  npx carillon doctor

Log in, three ways:

  ${curl(demo, '/token/id', login)}
  ${curl(demo, '/token/login', { login_name: `${bo.name}@example.com`, password: bo.password })}
  ${curl(demo, '/token/user', { name: bo.name, password: bo.password })}

The push certificate (${providers}):

  curl -s '${demo.base_url}/push/certificate?provider=1' -H 'app_id: ${demo.app_id}' -H 'access-token: ${demo.admin_token}'

What reached each pretend vendor:

${Object.entries(demo.simulators)
  .map(([vendor, url]) => `  ${vendor.padEnd(8)} ${url}`)
  .join('\n')}

Ctrl-C stops all of it.
`;
}

function curl(demo: Demo, path: string, body: object, token?: string): string {
  const header = token === undefined ? '' : ` -H 'access-token: ${token}'`;
  return `curl -s ${demo.base_url}${path} -H 'app_id: ${demo.app_id}'${header} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}
