import { readKeyrings, type Settings } from '#src/bin/settings.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { SettingsError } from '#src/foundation/settings.ts';
import { type Keyrings, keyPurposes } from '#src/storage/accounts/master-keys.ts';
import { findSealedValues, type SealedValue } from '#src/storage/accounts/sealed-values.ts';
import { type Finding, ok, wrong } from '../finding.ts';
import { withDatabase } from './databases.ts';

const VALUES_PER_PAGE = 200;
/**
 * Maximum number of sealed values to open. If a key is missing, at least one of the first few thousand values usually
 * cannot be opened.
 */
const VALUES_MAX = 10_000;
const EXAMPLES_MAX = 3;

/**
 * Opens the sealed values, up to `VALUES_MAX`. Without this check, a missing key is noticed only when a vendor is
 * called.
 */
export async function* checkKeys(
  { CARILLON_DATABASE_URL: url }: { readonly CARILLON_DATABASE_URL: string },
  seal: Settings['seal'],
): AsyncGenerator<Finding> {
  let keyrings: Keyrings;
  try {
    keyrings = readKeyrings(seal, keyPurposes);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    yield wrong('master keys', error.faults.join(' '), 'docs/operate/keys.md explains how to create a key.');
    return;
  }
  const { opened, unreadable } = await withDatabase(url, async (home) => {
    const counts = { opened: 0, unreadable: [] as string[] };
    for await (const values of findSealedValues(home, VALUES_PER_PAGE)) {
      for (const value of values) {
        if (canOpen(keyrings, value)) counts.opened++;
        else counts.unreadable.push(value.context);
      }
      if (counts.opened + counts.unreadable.length >= VALUES_MAX) break;
    }
    return counts;
  });
  if (unreadable.length === 0) {
    yield ok('master keys', `The master keys open all ${opened} sealed values that were checked.`);
    return;
  }
  const examples = unreadable.slice(0, EXAMPLES_MAX).map((context) => (JSON.parse(context) as string[]).join(' '));
  yield wrong(
    'master keys',
    `${unreadable.length} of ${opened + unreadable.length} sealed values cannot be opened: ${examples.join(', ')}${unreadable.length > EXAMPLES_MAX ? ', …' : ''}.`,
    'Add the key that sealed these values to CARILLON_MASTER_KEYS_APPS, _CALLBACKS or _CREDENTIALS, after the first one. If it is lost, save the credentials again. docs/operate/keys.md has the details.',
  );
}

function canOpen(keyrings: Keyrings, { purpose, context, box }: SealedValue): boolean {
  try {
    open(keyrings[purpose], context, box);
    return true;
  } catch {
    return false;
  }
}
