import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackages } from './packages/build.ts';

// `npm run packages`: builds the npm packages as JavaScript, and packs each into a file in the folder dist.

const folder = fileURLToPath(new URL('../dist', import.meta.url));
const tarballs = await buildPackages(folder);
console.log('Install a package in your project with npm install and the path of its file:');
for (const tarball of Object.values(tarballs)) console.log(`  ${relative('.', tarball)}`);
