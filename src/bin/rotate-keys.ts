import { reseal } from '#src/foundation/sealed-box.ts';
import { deleteOtherKeyChecks, type Keyrings, keyPurposes } from '#src/storage/accounts/master-keys.ts';
import { findSealedValues, type SealedValue } from '#src/storage/accounts/sealed-values.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { CommandError, runCommand } from './command.ts';

const VALUES_PER_PAGE = 200;
/**
 * Maximum number of rounds. Each further round finds values that a process with an old key saved since the previous
 * round.
 */
const ROUNDS_MAX = 10;

/**
 * Seals every value again under the first master key of its purpose, while the service runs. `docs/operate/keys.md` describes the steps before
 * and after this command. The command can be repeated: values that are already sealed under it are skipped.
 */
await runCommand(async ({ storage: { home }, keyrings }) => {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const { resealed, failures } = await resealEverything(home, keyrings);
    if (failures.length > 0)
      throw new CommandError(
        `${failures.length} sealed values could not be opened. Keep the old keys until these values are saved again:\n${failures.join('\n')}`,
      );
    if (resealed > 0) continue;
    for (const purpose of keyPurposes) await deleteOtherKeyChecks(home, purpose, keyrings[purpose].sealingKeyId);
    process.stdout.write(`${sealedUnder(keyrings)}\nThe other keys are no longer needed.\n`);
    return;
  }
  throw new CommandError(
    'A process still seals under an old key. Restart every process with the new key, then run this command again.',
  );
});

async function resealEverything(home: HomeDb, keyrings: Keyrings): Promise<{ resealed: number; failures: string[] }> {
  let checkedCount = 0;
  let resealed = 0;
  const failures: string[] = [];
  for await (const values of findSealedValues(home, VALUES_PER_PAGE)) {
    for (const value of values) {
      const newBox = tryReseal(keyrings, value, failures);
      if (newBox) await value.replace(home, newBox);
      if (newBox) resealed++;
    }
    checkedCount += values.length;
    process.stderr.write(`${checkedCount} values checked, ${resealed} sealed again\n`);
  }
  return { resealed, failures };
}

function tryReseal(keyrings: Keyrings, { purpose, context, box }: SealedValue, failures: string[]): Buffer | undefined {
  try {
    return reseal(keyrings[purpose], context, box);
  } catch (error) {
    failures.push(`${context}: ${(error as Error).message}`);
    return undefined;
  }
}

function sealedUnder(keyrings: Keyrings): string {
  const lines = keyPurposes.map(
    (purpose) => `All values for ${purpose} are sealed under ${keyrings[purpose].sealingKeyId}.`,
  );
  return lines.join('\n');
}
