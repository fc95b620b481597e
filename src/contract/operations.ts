import { adminAppCeilings } from './admin/app/ceilings.ts';
import { adminAppCreate } from './admin/app/create.ts';
import { adminAppDisable } from './admin/app/disable.ts';
import { adminAppEnable } from './admin/app/enable.ts';
import { adminAppGet } from './admin/app/get.ts';
import { adminAppList } from './admin/app/list.ts';
import { adminAppUpdate } from './admin/app/update.ts';
import { adminAuditList } from './admin/audit/list.ts';
import { adminAuditVerify } from './admin/audit/verify.ts';
import { adminCertificateCallback } from './admin/certificate/callback.ts';
import { adminCertificateCheck } from './admin/certificate/check.ts';
import { adminCertificateDelete } from './admin/certificate/delete.ts';
import { adminCertificateList } from './admin/certificate/list.ts';
import { adminCertificateSave } from './admin/certificate/save.ts';
import { adminChannelList } from './admin/channel/list.ts';
import { adminChannelResume } from './admin/channel/resume.ts';
import { adminDeviceDelete } from './admin/device/delete.ts';
import { adminDeviceFind } from './admin/device/find.ts';
import { adminDeviceGet } from './admin/device/get.ts';
import { adminDeviceLogout } from './admin/device/logout.ts';
import { adminDeviceNotifications } from './admin/device/notifications.ts';
import { adminGroupAdd } from './admin/group/add.ts';
import { adminGroupCreate } from './admin/group/create.ts';
import { adminGroupDelete } from './admin/group/delete.ts';
import { adminGroupList } from './admin/group/list.ts';
import { adminGroupMembers } from './admin/group/members.ts';
import { adminGroupRemove } from './admin/group/remove.ts';
import { adminLedgerVerify } from './admin/ledger/verify.ts';
import { adminLookup } from './admin/lookup.ts';
import { adminTaskQuarantined } from './admin/task/quarantined.ts';
import { adminTaskRetry } from './admin/task/retry.ts';
import { adminTokenCreate } from './admin/token/create.ts';
import { adminTokenList } from './admin/token/list.ts';
import { adminTokenRevoke } from './admin/token/revoke.ts';
import { adminUserCreate } from './admin/user/create.ts';
import { adminUserDelete } from './admin/user/delete.ts';
import { adminUserDisable } from './admin/user/disable.ts';
import { adminUserEnable } from './admin/user/enable.ts';
import { adminUserErase } from './admin/user/erase.ts';
import { adminUserErasures } from './admin/user/erasures.ts';
import { adminUserExport } from './admin/user/export.ts';
import { adminUserFind } from './admin/user/find.ts';
import { adminUserKick } from './admin/user/kick.ts';
import { adminUserList } from './admin/user/list.ts';
import { adminUserPassword } from './admin/user/password.ts';
import { adminUserToken } from './admin/user/token.ts';
import { adminUserUpdate } from './admin/user/update.ts';
import { deviceAlias } from './device/alias.ts';
import { deviceBadge } from './device/badge.ts';
import { deviceBind } from './device/bind.ts';
import { deviceList } from './device/list.ts';
import { deviceReceipt } from './device/receipt.ts';
import { deviceState } from './device/state.ts';
import { deviceTag } from './device/tag.ts';
import { deviceUnbind } from './device/unbind.ts';
import type { Operation } from './operation.ts';
import { operatorCreate } from './operator/create.ts';
import { operatorDisable } from './operator/disable.ts';
import { operatorEnable } from './operator/enable.ts';
import { operatorList } from './operator/list.ts';
import { operatorLogin } from './operator/login.ts';
import { operatorLogout } from './operator/logout.ts';
import { operatorMethods } from './operator/methods.ts';
import { operatorPassword } from './operator/password.ts';
import { operatorRoleSet } from './operator/role/set.ts';
import { operatorSessionList } from './operator/session/list.ts';
import { operatorSessionRevoke } from './operator/session/revoke.ts';
import { operatorSession } from './operator/session.ts';
import { operatorUpdate } from './operator/update.ts';
import { pushCertificate } from './push/certificate.ts';
import { pushDraftApprove } from './push/draft/approve.ts';
import { pushDraftCreate } from './push/draft/create.ts';
import { pushDraftGet } from './push/draft/get.ts';
import { pushDraftList } from './push/draft/list.ts';
import { pushDraftReject } from './push/draft/reject.ts';
import { pushNotify } from './push/notify.ts';
import { pushStatisticsDaily } from './push/statistics/daily.ts';
import { pushTaskCancel } from './push/task/cancel.ts';
import { pushTaskDetail } from './push/task/detail.ts';
import { pushTaskList } from './push/task/list.ts';
import { pushTaskReport } from './push/task/report.ts';
import { pushTaskTrace } from './push/task/trace.ts';
import { pushValidate } from './push/validate.ts';
import { tokenId } from './token/id.ts';
import { tokenLogin } from './token/login.ts';
import { tokenLogout } from './token/logout.ts';
import { tokenUser } from './token/user.ts';
import { userPassword } from './user/password.ts';
import { userRegister } from './user/register.ts';

/** All operations of the public API. */
export const operations: readonly Operation[] = [
  tokenId,
  tokenLogin,
  tokenUser,
  userRegister,
  userPassword,
  pushCertificate,
  pushNotify,
  pushTaskDetail,
  pushTaskList,
  pushTaskReport,
  pushTaskTrace,
  pushTaskCancel,
  pushStatisticsDaily,
  pushValidate,
  pushDraftCreate,
  pushDraftGet,
  pushDraftList,
  pushDraftApprove,
  pushDraftReject,
  deviceBind,
  deviceUnbind,
  deviceList,
  deviceTag,
  deviceAlias,
  deviceBadge,
  deviceReceipt,
  deviceState,
  tokenLogout,
  adminAppGet,
  adminAppUpdate,
  adminAppCreate,
  adminAppCeilings,
  adminAppList,
  adminAppDisable,
  adminAppEnable,
  adminTokenCreate,
  adminTokenList,
  adminTokenRevoke,
  adminUserCreate,
  adminUserFind,
  adminUserList,
  adminUserUpdate,
  adminUserPassword,
  adminUserKick,
  adminUserDisable,
  adminUserEnable,
  adminUserToken,
  adminUserExport,
  adminGroupCreate,
  adminGroupList,
  adminGroupAdd,
  adminGroupMembers,
  adminGroupRemove,
  adminGroupDelete,
  adminCertificateSave,
  adminCertificateList,
  adminCertificateCheck,
  adminCertificateCallback,
  adminCertificateDelete,
  adminChannelList,
  adminChannelResume,
  adminDeviceFind,
  adminDeviceGet,
  adminDeviceNotifications,
  adminDeviceLogout,
  adminDeviceDelete,
  adminUserDelete,
  adminUserErase,
  adminUserErasures,
  adminAuditList,
  adminAuditVerify,
  adminLedgerVerify,
  adminLookup,
  adminTaskQuarantined,
  adminTaskRetry,
  operatorMethods,
  operatorLogin,
  operatorSession,
  operatorLogout,
  operatorPassword,
  operatorSessionList,
  operatorSessionRevoke,
  operatorCreate,
  operatorList,
  operatorUpdate,
  operatorDisable,
  operatorEnable,
  operatorRoleSet,
];
