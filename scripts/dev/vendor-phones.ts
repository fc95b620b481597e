import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import { callApi, type DemoApi } from './call-api.ts';
import { simulatorToken } from './simulator-token.ts';

/**
 * Creates one phone per vendor for a user. Each phone logs in and registers its vendor token, like the app on a real
 * phone.
 */
export async function bindVendorPhones(
  api: DemoApi,
  owner: { readonly name: string; readonly password: string },
  vendors: readonly VendorName[],
): Promise<void> {
  // The logins are sequential, because each login counts towards the limit on failed logins until it succeeds.
  for (const vendor of vendors) await bindVendorPhone(api, owner, vendor);
}

async function bindVendorPhone(
  api: DemoApi,
  { name, password }: { readonly name: string; readonly password: string },
  vendor: VendorName,
): Promise<void> {
  const login = { name, password, device_guid: `demo-${vendor}` };
  const { token, push_token } = await callApi<{ token: string; push_token: string }>(api, '/token/user', login);
  // A simulator derives the result of a notification from the name of the vendor token.
  const vendorToken = simulatorToken(vendor, `live-${vendor}`);
  const binding = { provider: providerByVendor[vendor], token: vendorToken, push_token };
  await callApi(api, '/device/bind', binding, token);
}
