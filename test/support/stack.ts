import { openStack, type Stack, startStack } from '../../scripts/stack/stack.ts';

/** The stack of this process, if the file runs without the global setup. */
let ownStack: Promise<Stack> | undefined;

/**
 * Returns the stack that a test file shares with the whole run (`npm test`), or a separate stack if the file runs
 * alone. Do not stop the stack or kill its parts, because other files use them. A test that must do this calls
 * `startStack()` instead. A separate stack ends with the process. An `after` hook would stop the stack before the hooks
 * of the test file, which still have to drop their databases.
 */
export async function testStack(): Promise<Stack> {
  const shared = process.env.CARILLON_TEST_STACK;
  if (shared) return openStack(shared);
  ownStack ??= startStack();
  return ownStack;
}
