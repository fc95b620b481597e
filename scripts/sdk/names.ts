import { adminAuditList } from '#src/contract/admin/audit/list.ts';
import { adminGroupList } from '#src/contract/admin/group/list.ts';
import { adminTokenList } from '#src/contract/admin/token/list.ts';
import { pushCertificate } from '#src/contract/push/certificate.ts';
import { pushNotify } from '#src/contract/push/notify.ts';
import { pushTaskDetail } from '#src/contract/push/task/detail.ts';
import { appRecord } from '#src/contract/schemas/app-record.ts';
import { certificateRecord } from '#src/contract/schemas/certificate-record.ts';
import { channelRecord } from '#src/contract/schemas/channel-record.ts';
import { deviceRecord } from '#src/contract/schemas/device-record.ts';
import { tokenRecord } from '#src/contract/schemas/login.ts';
import { messageSchema } from '#src/contract/schemas/message.ts';
import { userRecord } from '#src/contract/schemas/user-record.ts';
import type { Schema } from './schema.ts';

/** Response types contain bigints. Request types also accept numbers. */
export type Direction = 'request' | 'response';

const { audience, setting } = pushNotify.body.properties;
const { ios, android, huawei, harmony, vivo, webpush } = messageSchema.properties;

/** Parts of the contract with a named type in the SDK. Equal parts share a name. */
const records: readonly [name: string, role: Direction, schema: object][] = [
  ['TokenRecord', 'response', tokenRecord],
  ['User', 'response', userRecord],
  ['Device', 'response', deviceRecord],
  ['Binding', 'response', deviceRecord.properties.bindings.items],
  ['App', 'response', appRecord],
  ['Group', 'response', adminGroupList.data.properties.list.items],
  ['AdminToken', 'response', adminTokenList.data.items],
  ['Certificate', 'response', certificateRecord],
  ['Channel', 'response', channelRecord],
  ['PushCertificate', 'response', pushCertificate.data],
  ['PushStatistics', 'response', pushTaskDetail.data.items],
  ['AuditEntry', 'response', adminAuditList.data.properties.list.items],
  ['Audience', 'request', audience],
  ['PushSetting', 'request', setting],
  ['Message', 'request', messageSchema],
  ['IosParameters', 'request', ios],
  ['AndroidParameters', 'request', android],
  ['HuaweiParameters', 'request', huawei],
  ['HarmonyParameters', 'request', harmony],
  ['VivoParameters', 'request', vivo],
  ['WebPushParameters', 'request', webpush],
];

export const namedRecords: readonly { readonly name: string; readonly role: Direction; readonly schema: Schema }[] =
  records.map(([name, role, schema]) => ({ name, role, schema: schema as Schema }));

const keyOf = (role: Direction, schema: Schema): string => `${role} ${JSON.stringify(schema)}`;
const nameByKey = new Map(namedRecords.map(({ name, role, schema }) => [keyOf(role, schema), name]));

export const recordNameOf = (role: Direction, schema: Schema): string | undefined => nameByKey.get(keyOf(role, schema));

/** Returns the type name of a path: `AdminUserCreate` for `/admin/user/create`. */
export const typeNameOf = (path: string): string =>
  path
    .slice(1)
    .split('/')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
