import { providerByVendor, type Vendor } from '#src/domain/channel.ts';
import { callApi, type DemoApi } from './call-api.ts';

/** Gives a person a phone of each vendor, as the app on it would: it logs in and tells the vendor's token. */
export async function bindPhones(
  api: DemoApi,
  owner: { readonly name: string; readonly password: string },
  vendors: readonly Vendor[],
): Promise<void> {
  // One after the other: logins that are under way count as failed until they have not.
  for (const vendor of vendors) await bindPhone(api, owner, vendor);
}

async function bindPhone(
  api: DemoApi,
  { name, password }: { readonly name: string; readonly password: string },
  vendor: Vendor,
): Promise<void> {
  const login = { name, password, device_guid: `demo-${vendor}` };
  const { token, push_token } = await callApi<{ token: string; push_token: string }>(api, '/token/user', login);
  // At a simulator the name of a token is its fate.
  const binding = { provider: providerByVendor[vendor], token: `live-${vendor}`, push_token };
  await callApi(api, '/device/bind', binding, token);
}
