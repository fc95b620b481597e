import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import { callApi, type DemoApi } from './call-api.ts';

/** Creates one phone per vendor for a user, as the app on it would: it logs in and registers the vendor token. */
export async function bindVendorPhones(
  api: DemoApi,
  owner: { readonly name: string; readonly password: string },
  vendors: readonly VendorName[],
): Promise<void> {
  // One after the other, because a login counts as failed until it has succeeded.
  for (const vendor of vendors) await bindVendorPhone(api, owner, vendor);
}

async function bindVendorPhone(
  api: DemoApi,
  { name, password }: { readonly name: string; readonly password: string },
  vendor: VendorName,
): Promise<void> {
  const login = { name, password, device_guid: `demo-${vendor}` };
  const { token, push_token } = await callApi<{ token: string; push_token: string }>(api, '/token/user', login);
  // Simulators choose the result by the name of the token.
  const binding = { provider: providerByVendor[vendor], token: `live-${vendor}`, push_token };
  await callApi(api, '/device/bind', binding, token);
}
