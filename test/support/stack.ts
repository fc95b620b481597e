import { openStack, type Stack, startStack } from '../../scripts/stack/stack.ts';

/** A stack of this process alone, when the file is run without the global setup. */
let ownStack: Promise<Stack> | undefined;

/**
 * The stack that a test file shares with the whole run (`npm test`), or one of its own when the file is run alone. Do not
 * stop it, and do not kill its parts: other files are using them. For that, `startStack()`.
 *
 * A stack of its own ends with the process. An `after` hook would stop it before the hooks of the test file run, which
 * still want to drop their databases.
 */
export async function testStack(): Promise<Stack> {
  const shared = process.env.CARILLON_TEST_STACK;
  if (shared) return openStack(shared);
  ownStack ??= startStack();
  return ownStack;
}
