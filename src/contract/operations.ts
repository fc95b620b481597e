import { deviceBind } from './device-bind.ts';
import type { Operation } from './operation.ts';
import { pushCertificate } from './push-certificate.ts';
import { pushNotify } from './push-notify.ts';
import { pushTaskDetail } from './push-task-detail.ts';
import { tokenId } from './token-id.ts';
import { tokenLogin } from './token-login.ts';
import { tokenUser } from './token-user.ts';

/** The public interface, whole. */
export const operations: readonly Operation[] = [
  tokenId,
  tokenLogin,
  tokenUser,
  pushCertificate,
  pushNotify,
  pushTaskDetail,
  deviceBind,
];
