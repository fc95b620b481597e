import type { Route } from './context.ts';
import { deviceBindRoute } from './operations/device-bind.ts';
import { pushCertificateRoute } from './operations/push-certificate.ts';
import { pushNotifyRoute } from './operations/push-notify.ts';
import { pushTaskDetailRoute } from './operations/push-task-detail.ts';
import { tokenIdRoute } from './operations/token-id.ts';
import { tokenLoginRoute } from './operations/token-login.ts';
import { tokenUserRoute } from './operations/token-user.ts';

/** Everything the HTTP interface can do. */
export const routes = [
  tokenIdRoute,
  tokenLoginRoute,
  tokenUserRoute,
  pushCertificateRoute,
  pushNotifyRoute,
  pushTaskDetailRoute,
  deviceBindRoute,
] as unknown as readonly Route[];
