import { userRegister } from '#src/contract/user/register.ts';
import { Problem } from '#src/domain/problem.ts';
import { addressKeyOf } from '#src/foundation/address-key.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { insertUser } from '#src/storage/users/users.ts';
import type { Route } from '../../context.ts';
import { logInWithoutPassword } from '../../logins/login.ts';
import { readLoginNames, requireCreatedUser } from '../../logins/login-names.ts';
import { requireStrongPassword } from '../../logins/new-password.ts';

const HOUR_SECONDS = 60 * 60;

export const userRegisterRoute: Route<typeof userRegister> = {
  operation: userRegister,
  handle: async (context, request) => {
    const { app, body, address } = request;
    if (!app.registration) throw new Problem('no-permission', 'Users cannot register themselves in this app.');
    const names = readLoginNames(body, app.country);
    if (Object.keys(names).length === 0)
      throw new Problem('bad-parameter', 'Send at least one of name, mobile and email.');
    requireStrongPassword(body.password, app, names);
    const limit = {
      key: `${app.appId} register:${addressKeyOf(address)}`,
      pointsMax: context.settings.CARILLON_REGISTRATIONS_PER_HOUR,
      seconds: HOUR_SECONDS,
    };
    await context.limits.take(request.setHeader, limit, 'too-many-requests');
    await context.ceilings.requireRoom(app.appId, 'users');
    if (body.device_guid !== undefined) await context.ceilings.requireRoom(app.appId, 'devices');
    const passwordHash = await hashPassword(body.password, app.appId);
    const result = await insertUser(context.storage.home, { appId: app.appId, ...names, passwordHash });
    const userId = requireCreatedUser(result);
    context.ceilings.add(app.appId, 'users');
    return logInWithoutPassword(context, app, userId, { deviceGuid: body.device_guid });
  },
};
