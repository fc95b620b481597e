import { tokenLogin } from '#src/contract/token-login.ts';
import type { LoginName } from '#src/truth/users.ts';
import type { Route } from '../context.ts';
import { logIn } from '../login.ts';

export const tokenLoginRoute: Route<typeof tokenLogin> = {
  operation: tokenLogin,
  handle: (context, { app, address, body }) =>
    logIn(context, {
      app,
      address,
      name: loginNameOf(body.login_name),
      password: body.password,
      deviceGuid: body.device_guid,
    }),
};

/** A user name has a letter and no `@`, so the three cannot be confused. */
function loginNameOf(text: string): LoginName {
  if (text.includes('@')) return { kind: 'email', text: text.toLowerCase() };
  return { kind: /^\+?\d+$/.test(text) ? 'mobile' : 'name', text };
}
