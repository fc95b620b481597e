import { type VendorName, vendorFacts, vendorNames } from '#src/domain/channel.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import { type FieldMapping, type FieldTable, messageFields } from '#src/vendors/translate/message-fields.ts';

const BEGIN = '<!-- fields:begin -->';
const END = '<!-- fields:end -->';

/** Returns the file name of a vendor's pages. Meizu has another name in the API. */
const fileOf = (vendor: VendorName): string => `${vendor === 'flyme' ? 'meizu' : vendor}.md`;

export const vendorGuidePath = (vendor: VendorName): string => `docs/vendors/${fileOf(vendor)}`;
export const vendorReferencePath = (vendor: VendorName): string => `docs/reference/vendors/${fileOf(vendor)}`;

/** Returns the generators of the reference pages of all vendors, by path. */
export const vendorReferencePages: Readonly<Record<string, (current: string) => string>> = Object.fromEntries(
  vendorNames.map((vendor) => [vendorReferencePath(vendor), (current: string) => withFieldTable(vendor, current)]),
);

/** Returns a vendor's page with the field table generated from the code. The rest of the page is written by hand. */
function withFieldTable(vendor: VendorName, current: string): string {
  const { fields } = vendorRegistry[vendor];
  const [before, rest] = current.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`${vendorReferencePath(vendor)} has no markers for the field table. Add ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n${fieldRows(fields, vendorFacts[vendor].displayName)}\n${END}${after}`;
}

/** Returns the field table. Consecutive fields with the same mapping share a row. */
function fieldRows(table: FieldTable, vendorName: string): string {
  const rows: { readonly names: string[]; readonly use: string }[] = [];
  for (const field of messageFields) {
    const use = describeUse(table[field]);
    const last = rows.at(-1);
    if (last?.use === use) last.names.push(`\`${field}\``);
    else rows.push({ names: [`\`${field}\``], use });
  }
  const lines = rows.map(({ names, use }) => {
    const shown = names.length > 1 ? use.replace('uses this field', 'uses these fields') : use;
    return `| ${names.join(' ')} | ${shown} |`;
  });
  return [`| Field | Sent to ${vendorName} as |`, '|---|---|', ...lines].join('\n');
}

const describeUse = (use: FieldMapping): string => ('becomes' in use ? use.becomes : `not sent: ${use.dropped}`);
