import { callerGroup } from './callers.ts';
import { deviceBindGroup } from './device-bind.ts';
import { loginGroup } from './login.ts';
import { loginLimitGroup } from './login-limits.ts';
import { pushCertificateGroup } from './push-certificate.ts';
import { pushNotifyAudienceGroup } from './push-notify-audience.ts';
import { pushNotifyMessageGroup } from './push-notify-message.ts';
import { pushNotifyImageSizeGroup, pushNotifyRuleGroup } from './push-notify-rules.ts';
import { pushNotifySettingGroup } from './push-notify-setting.ts';
import { pushNotifyVendorGroup } from './push-notify-vendors.ts';
import { pushTaskDetailGroup } from './push-task-detail.ts';
import { reachGroup } from './reach.ts';
import { requestGroup } from './requests.ts';
import type { Row } from './row.ts';

/** `usual`: failed logins are not limited. `limited`: they are. `images`: the sizes of images are asked at the test's host. */
export type Service = 'usual' | 'limited' | 'images';

export interface Group {
  readonly name: string;
  readonly service: Service;
  readonly rows: readonly Row[];
}

/** The contract, rule by rule. */
export const rowGroups: readonly Group[] = [
  { name: 'every request', service: 'usual', rows: requestGroup },
  { name: 'callers', service: 'usual', rows: callerGroup },
  { name: 'whom callers may notify', service: 'usual', rows: reachGroup },
  { name: 'the three logins', service: 'usual', rows: loginGroup },
  { name: 'the limits of logins', service: 'limited', rows: loginLimitGroup },
  { name: 'push certificates', service: 'usual', rows: pushCertificateGroup },
  { name: 'the audience of a notification', service: 'usual', rows: pushNotifyAudienceGroup },
  { name: 'the setting of a notification', service: 'usual', rows: pushNotifySettingGroup },
  { name: 'the message of a notification', service: 'usual', rows: pushNotifyMessageGroup },
  { name: 'what a message says to Android and its vendors', service: 'usual', rows: pushNotifyVendorGroup },
  { name: 'ext, times and images', service: 'usual', rows: pushNotifyRuleGroup },
  { name: 'the sizes of images', service: 'images', rows: pushNotifyImageSizeGroup },
  { name: 'statistics', service: 'usual', rows: pushTaskDetailGroup },
  { name: 'binding', service: 'usual', rows: deviceBindGroup },
];
