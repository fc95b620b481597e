import { join } from 'node:path';
import type { Bundle } from '../../scripts/bundle-programs.ts';

/**
 * Returns the file of a program that `npm test` has bundled, or undefined if there are no bundles. A bundle loads in a
 * third of the time of the sources.
 */
export function bundleOf(name: Bundle): string | undefined {
  const directory = process.env.TEST_BUNDLES;
  return directory ? join(directory, `${name}.mjs`) : undefined;
}
