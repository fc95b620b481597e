import { tokenUser } from '#src/contract/token-user.ts';
import type { Route } from '../context.ts';
import { logIn } from '../login.ts';

export const tokenUserRoute: Route<typeof tokenUser> = {
  operation: tokenUser,
  handle: (context, { app, address, body }) =>
    logIn(context, {
      app,
      address,
      name: { kind: 'name', text: body.name },
      password: body.password,
      deviceGuid: body.device_guid,
    }),
};
