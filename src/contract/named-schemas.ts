import { adminAuditList } from './admin/audit/list.ts';
import { adminGroupList } from './admin/group/list.ts';
import { adminTokenList } from './admin/token/list.ts';
import { operatorSessionList } from './operator/session/list.ts';
import { pushCertificate } from './push/certificate.ts';
import { pushNotify } from './push/notify.ts';
import { pushTaskDetail } from './push/task/detail.ts';
import { appRecord } from './schemas/app-record.ts';
import { certificateRecord } from './schemas/certificate-record.ts';
import { channelRecord } from './schemas/channel-record.ts';
import { deviceRecord } from './schemas/device-record.ts';
import { draftRecord } from './schemas/draft-record.ts';
import { tokenRecord } from './schemas/login.ts';
import { messageSchema } from './schemas/message.ts';
import { operatorRecord, sessionData } from './schemas/operator-record.ts';
import { userRecord } from './schemas/user-record.ts';

const { audience, setting } = pushNotify.body.properties;
const { ios, android, huawei, harmony, honor, xiaomi, oppo, vivo, flyme, fcm, webpush } = messageSchema.properties;

/**
 * Parts of the contract that have a name in the OpenAPI document and in the SDK. Equal parts share a name. The SDK's
 * types differ for requests and responses.
 */
export const namedSchemas: readonly (readonly [name: string, role: 'request' | 'response', schema: object])[] = [
  ['TokenRecord', 'response', tokenRecord],
  ['User', 'response', userRecord],
  ['Device', 'response', deviceRecord],
  ['Binding', 'response', deviceRecord.properties.bindings.items],
  ['App', 'response', appRecord],
  ['Ceilings', 'response', appRecord.properties.ceilings],
  ['Usage', 'response', appRecord.properties.usage],
  ['Group', 'response', adminGroupList.data.properties.list.items],
  ['AdminToken', 'response', adminTokenList.data.items],
  ['Certificate', 'response', certificateRecord],
  ['Channel', 'response', channelRecord],
  ['PushCertificate', 'response', pushCertificate.data],
  ['Draft', 'response', draftRecord],
  ['PushStatistics', 'response', pushTaskDetail.data.items],
  ['AuditEntry', 'response', adminAuditList.data.properties.list.items],
  ['Operator', 'response', operatorRecord],
  ['OperatorApp', 'response', operatorRecord.properties.apps.items],
  ['SignedInOperator', 'response', sessionData],
  ['OperatorSession', 'response', operatorSessionList.data.items],
  ['Audience', 'request', audience],
  ['AllDevices', 'request', audience.anyOf[0]],
  ['AudienceSelection', 'request', audience.anyOf[1]],
  ['PushSetting', 'request', setting],
  ['Message', 'request', messageSchema],
  ['IosParameters', 'request', ios],
  ['AndroidParameters', 'request', android],
  ['HuaweiParameters', 'request', huawei],
  ['HarmonyParameters', 'request', harmony],
  ['HonorParameters', 'request', honor],
  ['XiaomiParameters', 'request', xiaomi],
  ['OppoParameters', 'request', oppo],
  ['VivoParameters', 'request', vivo],
  ['FlymeParameters', 'request', flyme],
  ['FcmParameters', 'request', fcm],
  ['WebPushParameters', 'request', webpush],
];

/** Returns the type name of a path: `AdminUserCreate` for `/admin/user/create`. */
export const typeNameOf = (path: string): string =>
  path
    .slice(1)
    .split('/')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
