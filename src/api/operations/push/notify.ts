import { pushNotify } from '#src/contract/push/notify.ts';
import { Problem } from '#src/domain/problem.ts';
import type { ApiRequest, Route } from '../../context.ts';
import { acceptNotification, admitNotification, checkNotification } from '../../notify/accept-notification.ts';

export const pushNotifyRoute: Route<typeof pushNotify> = {
  operation: pushNotify,
  admit: admitNotification,
  handle: async (context, request) => {
    requireNoDraft(request);
    const checked = await checkNotification(context, request);
    return { task_id: await acceptNotification(context, request, checked) };
  },
};

/** Throws if an operator must use a draft, because a second person approves the large notifications of the app. */
function requireNoDraft({ app, token }: ApiRequest<typeof pushNotify>): void {
  if (token.kind === 'operator' && app.approvalAbove !== null)
    throw new Problem('no-permission', 'Operators of this app send with drafts. Use /push/draft/create.');
}
