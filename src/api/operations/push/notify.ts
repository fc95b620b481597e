import { pushNotify } from '#src/contract/push/notify.ts';
import type { Route } from '../../context.ts';
import { acceptNotification, admitNotification, checkNotification } from '../../notify/accept-notification.ts';

export const pushNotifyRoute: Route<typeof pushNotify> = {
  operation: pushNotify,
  admit: admitNotification,
  handle: async (context, request) => {
    const checked = await checkNotification(context, request);
    return { task_id: await acceptNotification(context, request, checked) };
  },
};
