import { tokenLogin } from '#src/contract/token/login.ts';
import { loginNameOf } from '#src/domain/login-name.ts';
import type { Route } from '../../context.ts';
import { logIn } from '../../logins/login.ts';

export const tokenLoginRoute: Route<typeof tokenLogin> = {
  operation: tokenLogin,
  handle: (context, request) => {
    const { login_name: text, password, device_guid: deviceGuid } = request.body;
    return logIn(context, request, { name: loginNameOf(text, request.app.country), password, deviceGuid });
  },
};
