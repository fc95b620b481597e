import { tokenById, tokenByLogin, tokenByUser } from '#src/contract/token.ts';
import type { LoginName } from '#src/truth/users.ts';
import type { Route } from '../context.ts';
import { logIn } from '../login.ts';

export const tokenByIdRoute: Route<typeof tokenById> = {
  operation: tokenById,
  token: 'none',
  handle: (context, { app, body }) =>
    logIn(context, {
      app,
      name: { kind: 'user_id', userId: body.user_id },
      password: body.password,
      deviceGuid: body.device_guid,
    }),
};

export const tokenByUserRoute: Route<typeof tokenByUser> = {
  operation: tokenByUser,
  token: 'none',
  handle: (context, { app, body }) =>
    logIn(context, {
      app,
      name: { kind: 'name', text: body.name },
      password: body.password,
      deviceGuid: body.device_guid,
    }),
};

export const tokenByLoginRoute: Route<typeof tokenByLogin> = {
  operation: tokenByLogin,
  token: 'none',
  handle: (context, { app, body }) =>
    logIn(context, {
      app,
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
