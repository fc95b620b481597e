import type { Environment, VendorName } from '#src/domain/channel.ts';
import { vendorRegistry } from './registry.ts';
import type { VendorSettings } from './sender.ts';
import { vendorSettings } from './settings.ts';

/** Returns whether no setting replaces the URLs of a vendor. Callers of the API do not need the URLs themselves. */
export function hasDefaultUrls(settings: VendorSettings, name: VendorName, environment: Environment): boolean {
  const { send, token } = vendorRegistry[name].urls;
  const properties = vendorSettings.properties as Readonly<Record<string, object>>;
  return [send[environment], ...(token === undefined ? [] : [token])].every(
    (setting) => settings[setting] === (properties[setting] as { default?: unknown }).default,
  );
}
