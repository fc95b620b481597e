import { vendorRegistry } from '#src/vendors/registry.ts';
import { type FieldMapping, type FieldTable, messageFields } from '#src/vendors/translate/message-fields.ts';

const BEGIN = '<!-- fields:begin -->';
const END = '<!-- fields:end -->';

/** Paths of the vendor pages in `docs/vendors/`. */
export const vendorPagePaths = Object.keys(vendorRegistry).map((name) => `docs/vendors/${name}.md`);

/** Returns a vendor's page with the field table generated from the code. The rest of the page is written by hand. */
export function vendorPage(path: string, current: string): string {
  const name = path.slice('docs/vendors/'.length, -'.md'.length);
  const { fields } = vendorRegistry[name as keyof typeof vendorRegistry];
  const [before, rest] = current.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`${path} has no markers for the field table. Add ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n${fieldRows(fields)}\n${END}${after}`;
}

/** Returns the field table. Consecutive fields with the same mapping share a row. */
function fieldRows(table: FieldTable): string {
  const rows: { readonly names: string[]; readonly use: string }[] = [];
  for (const field of messageFields) {
    const use = describeUse(table[field]);
    const last = rows.at(-1);
    if (last?.use === use) last.names.push(`\`${field}\``);
    else rows.push({ names: [`\`${field}\``], use });
  }
  const lines = rows.map(({ names, use }) => `| ${names.join(' ')} | ${use} |`);
  return ['| Field | Mapping |', '|---|---|', ...lines].join('\n');
}

const describeUse = (use: FieldMapping): string =>
  'becomes' in use ? use.becomes : `dropped: ${use.dropped.replace(/\.$/, '')}`;
