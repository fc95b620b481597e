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

/** Returns `docs/internals/licences.md`, generated from the lockfile. */
export function licencesPage(): string {
  const rows = productionPackages().map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return `# Licences

Carillon is available under the MIT licence. In production it includes the packages below. None of them runs a script
during installation. \`npm run --silent sbom\` prints the same list as a CycloneDX bill of materials. This page is generated
by \`npm run docs\`. Tests check it against the lockfile, and accept only licences that allow use in closed-source products.

| Package | Version | Licence |
|---|---|---|
${[...new Set(rows)].sort().join('\n')}
`;
}
