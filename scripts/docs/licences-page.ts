import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Returns the packages that are installed in production, according to the lockfile. */
export function productionPackages(): { name: string; version: string; licence: string }[] {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Package> };
  return Object.entries(packages).flatMap(([path, { version, license, dev, devOptional }]) =>
    path === '' || dev || devOptional
      ? []
      : [{ name: path.replace(/^.*node_modules\//, ''), version, licence: license ?? 'none' }],
  );
}

/** Returns `docs/licences.md`, generated from the lockfile. */
export function licencesPage(): string {
  const rows = productionPackages().map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return `# Licences

Carillon is under the MIT licence. In production it comes with the packages below, and none of them runs a script when it is
installed. The same as a bill of materials in CycloneDX: \`npm run --silent sbom\`. This page is made by \`npm run docs\`; tests hold
it equal to the lockfile, and every licence to those that may be shipped with a closed product.

| Package | Version | Licence |
|---|---|---|
${[...new Set(rows)].sort().join('\n')}
`;
}
