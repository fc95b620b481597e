import { providers } from '#src/contract/push/certificate.ts';

/**
 * Returns `sdk/src/generated/vendors.ts`: the vendors by their number in `provider`, for tools such as the command
 * line.
 */
export function vendorsFile(): string {
  const rows = providers.map(
    ({ provider, vendor, displayName, sendsReceipts }) =>
      `${provider}: { name: '${vendor}', displayName: '${displayName}', sendsReceipts: ${sendsReceipts} },`,
  );
  return `export interface VendorEntry {
  readonly name: string;
  readonly displayName: string;
  /** Whether the vendor reports deliveries to a callback URL. */
  readonly sendsReceipts: boolean;
}

/** Every vendor, by its number in \`provider\`. */
export const vendors: Readonly<Record<number, VendorEntry>> = {
${rows.join('\n')}
};
`;
}
