import { type Keyring, reseal } from '#src/foundation/sealed-box.ts';
import { findSealedValues } from '#src/storage/accounts/sealed-values.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { CommandError, runCommand } from './command.ts';

const VALUES_PER_PAGE = 200;
/**
 * Maximum number of rounds. Each further round finds values that a process with an old key saved since the previous
 * round.
 */
const ROUNDS_MAX = 10;

/**
 * Seals every value again under the first master key, while the service runs. `docs/operate/keys.md` describes the steps before
 * and after this command. The command can be repeated: values that are already sealed under the first key are skipped.
 */
await runCommand(async ({ storage: { home }, keyring }) => {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const { resealed, failures } = await resealEverything(home, keyring);
    if (failures.length > 0)
      throw new CommandError(
        `${failures.length} sealed values could not be opened. Keep the old keys until these values are saved again:\n${failures.join('\n')}`,
      );
    if (resealed > 0) continue;
    process.stdout.write(`All values are sealed under ${keyring.sealingKeyId}. The other keys are no longer needed.\n`);
    return;
  }
  throw new CommandError(
    'A process still seals under an old key. Restart every process with the new key, then run this command again.',
  );
});

async function resealEverything(home: HomeDb, keyring: Keyring): Promise<{ resealed: number; failures: string[] }> {
  let checkedCount = 0;
  let resealed = 0;
  const failures: string[] = [];
  for await (const values of findSealedValues(home, VALUES_PER_PAGE)) {
    for (const { context, box, replace } of values) {
      const newBox = tryReseal(keyring, context, box, failures);
      if (newBox) await replace(home, newBox);
      if (newBox) resealed++;
    }
    checkedCount += values.length;
    process.stderr.write(`${checkedCount} values checked, ${resealed} sealed again under ${keyring.sealingKeyId}\n`);
  }
  return { resealed, failures };
}

function tryReseal(keyring: Keyring, context: string, box: Buffer, failures: string[]): Buffer | undefined {
  try {
    return reseal(keyring, context, box);
  } catch (error) {
    failures.push(`${context}: ${(error as Error).message}`);
    return undefined;
  }
}
