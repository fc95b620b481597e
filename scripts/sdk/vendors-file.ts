import { providers } from '#src/contract/push/certificate.ts';

/**
 * Returns `sdk/src/generated/vendors.ts`: the vendors by their number in `provider`, for tools such as the command
 * line.
 */
export function vendorsFile(): string {
  const rows = providers.map(
    ({ provider, vendor, displayName }) => `${provider}: { name: '${vendor}', displayName: '${displayName}' },`,
  );
  return `/** Every vendor, by its number in \`provider\`. */
export const vendors: Readonly<Record<number, { readonly name: string; readonly displayName: string }>> = {
${rows.join('\n')}
};
`;
}
