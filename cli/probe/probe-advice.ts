import { printChannel } from '../vendor-names.ts';
import type { ProbedVendor } from './step.ts';

/** Next steps for failed steps of a probe. */

export const SCOPES_ADVICE = 'Use an admin token with the scopes push and manage.';
export const CALLBACK_ADVICE =
  'Check that the phone is online and that the callback URL is configured: docs/vendors/credentials.md#callbacks. Use a higher --receipt-seconds if the vendor reports late.';
export const NO_RESULT_ADVICE =
  'Check that a worker is running (`carillon doctor`) and that the channel is not paused (`carillon channel list`).';

export const cleanUpAdvice = (userName: string): string =>
  `Delete the test user: find its ID with \`carillon user find --name ${userName}\`, then run \`carillon user delete --user-id <id>\`.`;

export const guideOf = ({ name }: ProbedVendor): string => `docs/vendors/${printChannel(name)}.md`;

export const credentialsAdvice = (vendor: ProbedVendor): string =>
  `Save valid credentials with \`carillon certificate save --provider ${printChannel(vendor.name)} --environment ${vendor.environment}\`: ${guideOf(vendor)}.`;

/** Returns the next step for the last result of a vendor. */
export function adviceForResult(code: string, vendor: ProbedVendor): string {
  switch (code) {
    case 'token-dead':
      return 'Check that the vendor token is current, complete, and of this app and environment: docs/vendors/mismatches.md.';
    case 'refused':
      return `Look up the code in ${guideOf(vendor).replace('vendors', 'reference/vendors')}. To set fields that the vendor requires, use --message.`;
    case 'locked-out':
      return credentialsAdvice(vendor);
    case 'quota-spent':
      return 'Repeat the probe after the daily quota resets. `carillon channel list` shows the time.';
    case 'unbound':
      return 'The device has no vendor token of this vendor. Start the app so that it binds one, or use --vendor-token.';
    default:
      return 'Check that the service can reach the vendor (firewall, DNS, CARILLON_VENDOR_PROXY_URL), and repeat the probe.';
  }
}
