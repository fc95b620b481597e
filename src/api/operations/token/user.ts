import { tokenUser } from '#src/contract/token/user.ts';
import { userNameOf } from '#src/domain/login-name.ts';
import type { Route } from '../../context.ts';
import { logIn } from '../../logins/login.ts';

export const tokenUserRoute: Route<typeof tokenUser> = {
  operation: tokenUser,
  handle: (context, request) => {
    const { name, password, device_guid: deviceGuid } = request.body;
    return logIn(context, request, { name: { kind: 'name', text: userNameOf(name) ?? name }, password, deviceGuid });
  },
};
