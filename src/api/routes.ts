import type { Route } from './context.ts';
import { deviceBindRoute } from './operations/device-bind.ts';
import { pushCertificateRoute } from './operations/push-certificate.ts';
import { pushNotifyRoute } from './operations/push-notify.ts';
import { pushTaskDetailRoute } from './operations/push-task-detail.ts';
import { tokenByIdRoute, tokenByLoginRoute, tokenByUserRoute } from './operations/token.ts';

/** Everything the HTTP interface can do. */
export const routes = [
  tokenByIdRoute,
  tokenByLoginRoute,
  tokenByUserRoute,
  pushCertificateRoute,
  pushNotifyRoute,
  pushTaskDetailRoute,
  deviceBindRoute,
] as unknown as readonly Route[];
