import { type VendorEntry, vendors } from '../sdk/src/index.ts';

/** The API names Meizu both `flyme` and `meizu`. Commands print the second name, which is the name of the company. */
const nameOf = ({ name }: Pick<VendorEntry, 'name'>): string => (name === 'flyme' ? 'meizu' : name);

/** The names of vendors that commands print. */
export const vendorNames: readonly string[] = Object.values(vendors).map(nameOf).sort();

/** Returns the number of a vendor, which can be given as a number, as a name of the API or as a displayed name. */
export function toProvider(text: string): number | undefined {
  const word = text.toLowerCase().replaceAll(' ', '');
  const entry = Object.entries(vendors).find(([provider, vendor]) =>
    [provider, vendor.name, nameOf(vendor), vendor.displayName.toLowerCase().replaceAll(' ', '')].includes(word),
  );
  return entry && Number(entry[0]);
}

/** Returns the name and the number of a vendor: `meizu (4)`. A number that is unknown to this version stays a number. */
export function printProvider(provider: number): string {
  const vendor = vendors[provider];
  return vendor ? `${nameOf(vendor)} (${provider})` : provider.toString();
}

/** Returns the name of a channel as commands print it. */
export const printChannel = (channel: string): string => nameOf({ name: channel });

export const unknownVendor = (subject: string, text: string): string =>
  `${subject} must be a vendor, not "${text}". Vendors: ${vendorNames.join(', ')}.`;
