import { tokenId } from '#src/contract/token/id.ts';
import type { Route } from '../../context.ts';
import { logIn } from '../../logins/login.ts';

export const tokenIdRoute: Route<typeof tokenId> = {
  operation: tokenId,
  handle: (context, request) => {
    const { user_id: userId, password, device_guid: deviceGuid } = request.body;
    return logIn(context, request, { name: { kind: 'user_id', userId }, password, deviceGuid });
  },
};
