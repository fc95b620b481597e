import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { productionPackages } from './docs/licences-page.ts';

// `npm run --silent sbom`: prints the bill of materials of the production packages in CycloneDX format. npm's
// `--omit=dev` would also omit packages that both production and development use.

interface Bill {
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string; readonly version: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const text = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'ignore'],
});
const bill = JSON.parse(text) as Bill;
const productionPackageIds = new Set(productionPackages().map(({ name, version }) => `${name}@${version}`));
const excluded = new Set(
  bill.components
    .filter(({ name, version }) => !productionPackageIds.has(`${name}@${version}`))
    .map((component) => component['bom-ref']),
);
const productionBill = {
  ...bill,
  components: bill.components.filter((component) => !excluded.has(component['bom-ref'])),
  dependencies: bill.dependencies
    .filter(({ ref }) => !excluded.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => !excluded.has(other)) })),
};
console.log(JSON.stringify(productionBill, null, 2));
