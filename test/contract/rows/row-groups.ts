import { adminAppGroup } from './admin-app.ts';
import { adminAppCeilingGroup } from './admin-app-ceilings.ts';
import { adminAuditGroup } from './admin-audit.ts';
import { adminAuditUserGroup } from './admin-audit-users.ts';
import { adminAuditVerifyGroup } from './admin-audit-verify.ts';
import { adminCertificateGroup } from './admin-certificate.ts';
import { adminCertificateCallbackGroup } from './admin-certificate-callback.ts';
import { adminCertificateCheckGroup } from './admin-certificate-check.ts';
import { adminCertificateListGroup } from './admin-certificate-list.ts';
import { adminChannelGroup } from './admin-channel.ts';
import { adminChannelResumeGroup } from './admin-channel-resume.ts';
import { adminDeviceFindGroup } from './admin-device.ts';
import { adminDeviceDeleteGroup } from './admin-device-delete.ts';
import { adminDeviceGetGroup, adminDeviceLogoutGroup } from './admin-device-get.ts';
import { adminDeviceNotificationsGroup } from './admin-device-notifications.ts';
import { adminGroupGroup } from './admin-group.ts';
import { adminLedgerGroup } from './admin-ledger.ts';
import { adminLookupGroup } from './admin-lookup.ts';
import { adminTaskGroup } from './admin-task.ts';
import { adminTokenGroup } from './admin-token.ts';
import { adminUserCreateGroup } from './admin-user-create.ts';
import { adminUserDeleteGroup } from './admin-user-delete.ts';
import { adminUserEraseGroup } from './admin-user-erase.ts';
import { adminUserFindGroup } from './admin-user-find.ts';
import { adminUserLoginGroup } from './admin-user-logins.ts';
import { adminUserUpdateGroup } from './admin-user-update.ts';
import { appSettingGroup } from './app-settings.ts';
import { audiencePermissionGroup } from './audience-permissions.ts';
import { callerGroup } from './callers.ts';
import { deviceAliasGroup } from './device-alias.ts';
import { deviceBadgeGroup } from './device-badge.ts';
import { deviceBindGroup } from './device-bind.ts';
import { deviceListGroup } from './device-list.ts';
import { deviceReceiptGroup } from './device-receipt.ts';
import { deviceStateGroup } from './device-state.ts';
import { deviceTagGroup } from './device-tag.ts';
import { deviceUnbindGroup } from './device-unbind.ts';
import { listFiltersGroup } from './list-filters.ts';
import { loginGroup } from './login.ts';
import { loginLimitGroup } from './login-limits.ts';
import { loginNameGroup } from './login-names.ts';
import { operatorSessionGroup } from './operator-sessions.ts';
import { operatorGroup } from './operators.ts';
import { pushCertificateGroup } from './push-certificate.ts';
import { pushDraftCreateGroup, pushDraftDecisionGroup, pushDraftGroup } from './push-draft.ts';
import { pushFieldNameGroup } from './push-field-names.ts';
import { pushNotifyAudienceGroup } from './push-notify-audience.ts';
import { pushNotifyMessageGroup } from './push-notify-message.ts';
import { pushNotifyImageSizeGroup, pushNotifyRuleGroup } from './push-notify-rules.ts';
import { pushNotifySettingGroup } from './push-notify-setting.ts';
import { pushNotifyVendorGroup } from './push-notify-vendors.ts';
import { pushStatisticsGroup } from './push-statistics.ts';
import { pushTaskDetailGroup } from './push-task-detail.ts';
import { pushTaskCancelGroup, pushTaskListGroup } from './push-task-list.ts';
import { pushTaskReportGroup } from './push-task-report.ts';
import { pushTaskTraceGroup } from './push-task-trace.ts';
import { pushValidateGroup } from './push-validate.ts';
import { requestLimitGroup } from './request-limits.ts';
import { requestGroup } from './requests.ts';
import type { Row } from './row.ts';
import { tokenLogoutGroup } from './token-logout.ts';
import { userCallerGroup } from './user-callers.ts';
import { userPasswordGroup } from './user-password.ts';
import { userRegisterGroup } from './user-register.ts';

/**
 * `usual`: the limits are too high to be reached. `limited`: failed logins and reads of secrets have small limits.
 * `images`: image sizes are queried at the image host of the test.
 */
export type ServiceName = 'usual' | 'limited' | 'images';

export interface Group {
  readonly name: string;
  readonly service: ServiceName;
  readonly rows: readonly Row[];
}

/** All rows of the contract, by subject. */
export const rowGroups: readonly Group[] = [
  { name: 'every request', service: 'usual', rows: requestGroup },
  { name: 'callers', service: 'usual', rows: callerGroup },
  { name: 'audience permissions', service: 'usual', rows: audiencePermissionGroup },
  { name: 'login operations', service: 'usual', rows: loginGroup },
  { name: 'login names', service: 'usual', rows: loginNameGroup },
  { name: 'login limits', service: 'limited', rows: loginLimitGroup },
  { name: 'logout', service: 'usual', rows: tokenLogoutGroup },
  { name: 'password change', service: 'usual', rows: userPasswordGroup },
  { name: 'registration', service: 'usual', rows: userRegisterGroup },
  { name: 'permission to manage users and groups', service: 'usual', rows: userCallerGroup },
  { name: 'user creation', service: 'usual', rows: adminUserCreateGroup },
  { name: 'user lookup', service: 'usual', rows: adminUserFindGroup },
  { name: 'user updates', service: 'usual', rows: adminUserUpdateGroup },
  { name: 'user logins', service: 'usual', rows: adminUserLoginGroup },
  { name: 'user deletion', service: 'usual', rows: adminUserDeleteGroup },
  { name: 'erasure and export of users', service: 'usual', rows: adminUserEraseGroup },
  { name: 'groups', service: 'usual', rows: adminGroupGroup },
  { name: 'audit log for users and groups', service: 'usual', rows: adminAuditUserGroup },
  { name: 'verification of the audit log', service: 'usual', rows: adminAuditVerifyGroup },
  { name: 'push credentials', service: 'usual', rows: pushCertificateGroup },
  { name: 'audience of a notification', service: 'usual', rows: pushNotifyAudienceGroup },
  { name: 'setting of a notification', service: 'usual', rows: pushNotifySettingGroup },
  { name: 'message of a notification', service: 'usual', rows: pushNotifyMessageGroup },
  { name: 'Android and vendor fields of a message', service: 'usual', rows: pushNotifyVendorGroup },
  { name: 'unknown fields of a notification', service: 'usual', rows: pushFieldNameGroup },
  { name: 'ext, times and images', service: 'usual', rows: pushNotifyRuleGroup },
  { name: 'image sizes', service: 'images', rows: pushNotifyImageSizeGroup },
  { name: 'statistics', service: 'usual', rows: pushTaskDetailGroup },
  { name: 'statistics by day', service: 'usual', rows: pushStatisticsGroup },
  { name: 'task lists', service: 'usual', rows: pushTaskListGroup },
  { name: 'filters of task and audit lists', service: 'usual', rows: listFiltersGroup },
  { name: 'validation of a notification', service: 'usual', rows: pushValidateGroup },
  { name: 'creation of drafts', service: 'usual', rows: pushDraftCreateGroup },
  { name: 'drafts', service: 'usual', rows: pushDraftGroup },
  { name: 'approval and rejection of drafts', service: 'usual', rows: pushDraftDecisionGroup },
  { name: 'task cancellation', service: 'usual', rows: pushTaskCancelGroup },
  { name: 'task reports', service: 'usual', rows: pushTaskReportGroup },
  { name: 'device trace', service: 'usual', rows: pushTaskTraceGroup },
  { name: 'binding', service: 'usual', rows: deviceBindGroup },
  { name: 'unbinding', service: 'usual', rows: deviceUnbindGroup },
  { name: 'devices of a user', service: 'usual', rows: deviceListGroup },
  { name: 'tags', service: 'usual', rows: deviceTagGroup },
  { name: 'aliases', service: 'usual', rows: deviceAliasGroup },
  { name: 'badges', service: 'usual', rows: deviceBadgeGroup },
  { name: 'reported states', service: 'usual', rows: deviceStateGroup },
  { name: 'receipts', service: 'usual', rows: deviceReceiptGroup },
  { name: 'device lookup', service: 'usual', rows: adminDeviceFindGroup },
  { name: 'notifications of a device', service: 'usual', rows: adminDeviceNotificationsGroup },
  { name: 'lookup of any ID', service: 'usual', rows: adminLookupGroup },
  { name: 'device details', service: 'usual', rows: adminDeviceGetGroup },
  { name: 'logout of one device', service: 'usual', rows: adminDeviceLogoutGroup },
  { name: 'device deletion', service: 'usual', rows: adminDeviceDeleteGroup },
  { name: 'saving credentials', service: 'usual', rows: adminCertificateGroup },
  { name: 'credential checks with vendors', service: 'usual', rows: adminCertificateCheckGroup },
  { name: 'vendor callback addresses', service: 'usual', rows: adminCertificateCallbackGroup },
  { name: 'status of vendor channels', service: 'usual', rows: adminChannelGroup },
  { name: 'resuming vendor channels', service: 'usual', rows: adminChannelResumeGroup },
  { name: 'listing and deleting credentials', service: 'usual', rows: adminCertificateListGroup },
  { name: 'apps', service: 'usual', rows: adminAppGroup },
  { name: 'ceilings of apps', service: 'usual', rows: adminAppCeilingGroup },
  { name: 'app settings', service: 'usual', rows: appSettingGroup },
  { name: 'admin tokens', service: 'usual', rows: adminTokenGroup },
  { name: 'audit log', service: 'usual', rows: adminAuditGroup },
  { name: 'ledger invariants', service: 'usual', rows: adminLedgerGroup },
  { name: 'quarantined tasks', service: 'usual', rows: adminTaskGroup },
  { name: 'operators', service: 'usual', rows: operatorGroup },
  { name: 'sessions of operators', service: 'usual', rows: operatorSessionGroup },
  { name: 'request limits', service: 'limited', rows: requestLimitGroup },
];
