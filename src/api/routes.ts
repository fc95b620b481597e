import type { Route } from './context.ts';
import { adminAppCeilingsRoute } from './operations/admin/app/ceilings.ts';
import { adminAppCreateRoute } from './operations/admin/app/create.ts';
import { adminAppDisableRoute } from './operations/admin/app/disable.ts';
import { adminAppEnableRoute } from './operations/admin/app/enable.ts';
import { adminAppGetRoute } from './operations/admin/app/get.ts';
import { adminAppListRoute } from './operations/admin/app/list.ts';
import { adminAppUpdateRoute } from './operations/admin/app/update.ts';
import { adminAuditListRoute } from './operations/admin/audit/list.ts';
import { adminAuditVerifyRoute } from './operations/admin/audit/verify.ts';
import { adminCertificateCallbackRoute } from './operations/admin/certificate/callback.ts';
import { adminCertificateCheckRoute } from './operations/admin/certificate/check.ts';
import { adminCertificateDeleteRoute } from './operations/admin/certificate/delete.ts';
import { adminCertificateListRoute } from './operations/admin/certificate/list.ts';
import { adminCertificateSaveRoute } from './operations/admin/certificate/save.ts';
import { adminChannelListRoute } from './operations/admin/channel/list.ts';
import { adminChannelResumeRoute } from './operations/admin/channel/resume.ts';
import { adminDeviceDeleteRoute } from './operations/admin/device/delete.ts';
import { adminDeviceFindRoute } from './operations/admin/device/find.ts';
import { adminDeviceGetRoute } from './operations/admin/device/get.ts';
import { adminDeviceLogoutRoute } from './operations/admin/device/logout.ts';
import { adminDeviceNotificationsRoute } from './operations/admin/device/notifications.ts';
import { adminGroupAddRoute } from './operations/admin/group/add.ts';
import { adminGroupCreateRoute } from './operations/admin/group/create.ts';
import { adminGroupDeleteRoute } from './operations/admin/group/delete.ts';
import { adminGroupListRoute } from './operations/admin/group/list.ts';
import { adminGroupMembersRoute } from './operations/admin/group/members.ts';
import { adminGroupRemoveRoute } from './operations/admin/group/remove.ts';
import { adminLedgerVerifyRoute } from './operations/admin/ledger/verify.ts';
import { adminLookupRoute } from './operations/admin/lookup.ts';
import { adminTaskQuarantinedRoute } from './operations/admin/task/quarantined.ts';
import { adminTaskRetryRoute } from './operations/admin/task/retry.ts';
import { adminTokenCreateRoute } from './operations/admin/token/create.ts';
import { adminTokenListRoute } from './operations/admin/token/list.ts';
import { adminTokenRevokeRoute } from './operations/admin/token/revoke.ts';
import { adminUserCreateRoute } from './operations/admin/user/create.ts';
import { adminUserDeleteRoute } from './operations/admin/user/delete.ts';
import { adminUserDisableRoute } from './operations/admin/user/disable.ts';
import { adminUserEnableRoute } from './operations/admin/user/enable.ts';
import { adminUserEraseRoute } from './operations/admin/user/erase.ts';
import { adminUserErasuresRoute } from './operations/admin/user/erasures.ts';
import { adminUserExportRoute } from './operations/admin/user/export.ts';
import { adminUserFindRoute } from './operations/admin/user/find.ts';
import { adminUserKickRoute } from './operations/admin/user/kick.ts';
import { adminUserListRoute } from './operations/admin/user/list.ts';
import { adminUserPasswordRoute } from './operations/admin/user/password.ts';
import { adminUserTokenRoute } from './operations/admin/user/token.ts';
import { adminUserUpdateRoute } from './operations/admin/user/update.ts';
import { deviceAliasRoute } from './operations/device/alias.ts';
import { deviceBadgeRoute } from './operations/device/badge.ts';
import { deviceBindRoute } from './operations/device/bind.ts';
import { deviceListRoute } from './operations/device/list.ts';
import { deviceReceiptRoute } from './operations/device/receipt.ts';
import { deviceStateRoute } from './operations/device/state.ts';
import { deviceTagRoute } from './operations/device/tag.ts';
import { deviceUnbindRoute } from './operations/device/unbind.ts';
import { operatorCreateRoute } from './operations/operator/create.ts';
import { operatorDisableRoute } from './operations/operator/disable.ts';
import { operatorEnableRoute } from './operations/operator/enable.ts';
import { operatorListRoute } from './operations/operator/list.ts';
import { operatorLoginRoute } from './operations/operator/login.ts';
import { operatorLogoutRoute } from './operations/operator/logout.ts';
import { operatorMethodsRoute } from './operations/operator/methods.ts';
import { operatorPasswordRoute } from './operations/operator/password.ts';
import { operatorRoleSetRoute } from './operations/operator/role/set.ts';
import { operatorSessionListRoute } from './operations/operator/session/list.ts';
import { operatorSessionRevokeRoute } from './operations/operator/session/revoke.ts';
import { operatorSessionRoute } from './operations/operator/session.ts';
import { operatorUpdateRoute } from './operations/operator/update.ts';
import { pushCertificateRoute } from './operations/push/certificate.ts';
import { pushDraftApproveRoute } from './operations/push/draft/approve.ts';
import { pushDraftCreateRoute } from './operations/push/draft/create.ts';
import { pushDraftGetRoute } from './operations/push/draft/get.ts';
import { pushDraftListRoute } from './operations/push/draft/list.ts';
import { pushDraftRejectRoute } from './operations/push/draft/reject.ts';
import { pushNotifyRoute } from './operations/push/notify.ts';
import { pushStatisticsDailyRoute } from './operations/push/statistics/daily.ts';
import { pushTaskCancelRoute } from './operations/push/task/cancel.ts';
import { pushTaskDetailRoute } from './operations/push/task/detail.ts';
import { pushTaskListRoute } from './operations/push/task/list.ts';
import { pushTaskReportRoute } from './operations/push/task/report.ts';
import { pushTaskTraceRoute } from './operations/push/task/trace.ts';
import { pushValidateRoute } from './operations/push/validate.ts';
import { tokenIdRoute } from './operations/token/id.ts';
import { tokenLoginRoute } from './operations/token/login.ts';
import { tokenLogoutRoute } from './operations/token/logout.ts';
import { tokenUserRoute } from './operations/token/user.ts';
import { userPasswordRoute } from './operations/user/password.ts';
import { userRegisterRoute } from './operations/user/register.ts';

/** All routes of the HTTP API. */
export const routes = [
  tokenIdRoute,
  tokenLoginRoute,
  tokenUserRoute,
  userRegisterRoute,
  userPasswordRoute,
  pushCertificateRoute,
  pushNotifyRoute,
  pushTaskDetailRoute,
  pushTaskListRoute,
  pushTaskReportRoute,
  pushTaskTraceRoute,
  pushTaskCancelRoute,
  pushStatisticsDailyRoute,
  pushValidateRoute,
  pushDraftCreateRoute,
  pushDraftGetRoute,
  pushDraftListRoute,
  pushDraftApproveRoute,
  pushDraftRejectRoute,
  deviceBindRoute,
  deviceUnbindRoute,
  deviceListRoute,
  deviceTagRoute,
  deviceAliasRoute,
  deviceBadgeRoute,
  deviceReceiptRoute,
  deviceStateRoute,
  tokenLogoutRoute,
  adminAppGetRoute,
  adminAppUpdateRoute,
  adminAppCreateRoute,
  adminAppCeilingsRoute,
  adminAppListRoute,
  adminAppDisableRoute,
  adminAppEnableRoute,
  adminTokenCreateRoute,
  adminTokenListRoute,
  adminTokenRevokeRoute,
  adminUserCreateRoute,
  adminUserFindRoute,
  adminUserListRoute,
  adminUserUpdateRoute,
  adminUserPasswordRoute,
  adminUserKickRoute,
  adminUserDisableRoute,
  adminUserEnableRoute,
  adminUserTokenRoute,
  adminUserExportRoute,
  adminGroupCreateRoute,
  adminGroupListRoute,
  adminGroupAddRoute,
  adminGroupMembersRoute,
  adminGroupRemoveRoute,
  adminGroupDeleteRoute,
  adminCertificateSaveRoute,
  adminCertificateListRoute,
  adminCertificateCheckRoute,
  adminCertificateCallbackRoute,
  adminCertificateDeleteRoute,
  adminChannelListRoute,
  adminChannelResumeRoute,
  adminDeviceFindRoute,
  adminDeviceGetRoute,
  adminDeviceNotificationsRoute,
  adminDeviceLogoutRoute,
  adminDeviceDeleteRoute,
  adminUserDeleteRoute,
  adminUserEraseRoute,
  adminUserErasuresRoute,
  adminAuditListRoute,
  adminAuditVerifyRoute,
  adminLedgerVerifyRoute,
  adminLookupRoute,
  adminTaskQuarantinedRoute,
  adminTaskRetryRoute,
  operatorMethodsRoute,
  operatorLoginRoute,
  operatorSessionRoute,
  operatorLogoutRoute,
  operatorPasswordRoute,
  operatorSessionListRoute,
  operatorSessionRevokeRoute,
  operatorCreateRoute,
  operatorListRoute,
  operatorUpdateRoute,
  operatorDisableRoute,
  operatorEnableRoute,
  operatorRoleSetRoute,
] as unknown as readonly Route[];
