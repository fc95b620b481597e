import { operatorLogin } from '#src/contract/operator/login.ts';
import { emailOf } from '#src/domain/login-name.ts';
import { Problem } from '#src/domain/problem.ts';
import { Semaphore } from '#src/foundation/semaphore.ts';
import { verifyPassword } from '#src/foundation/threads/password.ts';
import { findLoginOperator } from '#src/storage/operators/operators.ts';
import { refundPoints } from '#src/storage/users/rate-limits.ts';
import type { Route } from '../../context.ts';
import { readKnownBrowser, setKnownBrowser } from '../../http/known-browser.ts';
import { takeOperatorPoints } from '../../operators/operator-limits.ts';
import { toSessionRecord } from '../../operators/session-record.ts';
import { startSession } from '../../operators/start-session.ts';

/** A flood of sign-ins uses one database connection. */
const signInSlots = new Semaphore({ slots: 1, queueMax: 200, groupQueueMax: 200 });
/** The group of these password checks, which take turns with those of the apps. */
const HASH_GROUP = '@operators';

export const operatorLoginRoute: Route<typeof operatorLogin> = {
  operation: operatorLogin,
  handle: async (context, request) => {
    const { body, http, address, setHeader } = request;
    const { home } = context.storage;
    const keyring = context.keyrings.apps;
    const email = emailOf(body.email) ?? body.email;
    const { operator, limitKeys } = await signInSlots.run(async () => {
      const browserId = readKnownBrowser(keyring, http, email);
      const limitKeys = await takeOperatorPoints(context, request, { email, browserId });
      return { limitKeys, operator: await findLoginOperator(home, email) };
    }, HASH_GROUP);
    const isCorrect = await verifyPassword(body.password, operator?.passwordHash, HASH_GROUP);
    const started =
      isCorrect && operator ? await startSession(context, http, operator.operatorId, operator.passwordHash) : undefined;
    if (!started) {
      // The entered email address is not logged, because it can be a password.
      context.log.security('operator-login-failed', { address, operatorId: operator?.operatorId });
      throw new Problem('login-refused');
    }
    await refundPoints(home, limitKeys);
    setHeader('set-cookie', started.cookie);
    setHeader('set-cookie', setKnownBrowser(keyring, http, email));
    setHeader('cache-control', 'no-store');
    return toSessionRecord(home, started.sessionId, started.session);
  },
};
