import { tokenId } from '#src/contract/token-id.ts';
import type { Route } from '../context.ts';
import { logIn } from '../login.ts';

export const tokenIdRoute: Route<typeof tokenId> = {
  operation: tokenId,
  handle: (context, { app, address, body }) =>
    logIn(context, {
      app,
      address,
      name: { kind: 'user_id', userId: body.user_id },
      password: body.password,
      deviceGuid: body.device_guid,
    }),
};
