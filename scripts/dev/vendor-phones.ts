import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import { callApi, type DemoApi } from './call-api.ts';

/** Gives a person a phone of each vendor, as the app on it would: it logs in and tells the vendor's token. */
export async function bindVendorPhones(
  api: DemoApi,
  owner: { readonly name: string; readonly password: string },
  vendors: readonly VendorName[],
): Promise<void> {
  // One after the other: logins that are under way count as failed until they have not.
  for (const vendor of vendors) await bindVendorPhone(api, owner, vendor);
}

async function bindVendorPhone(
  api: DemoApi,
  { name, password }: { readonly name: string; readonly password: string },
  vendor: VendorName,
): Promise<void> {
  const login = { name, password, device_guid: `demo-${vendor}` };
  const { token, push_token } = await callApi<{ token: string; push_token: string }>(api, '/token/user', login);
  // At a simulator the name of a token is its fate.
  const binding = { provider: providerByVendor[vendor], token: `live-${vendor}`, push_token };
  await callApi(api, '/device/bind', binding, token);
}
