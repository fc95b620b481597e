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

/** `answer` has bigints where `request` takes numbers too. */
export type Role = 'request' | 'answer';

const { audience, setting } = pushNotify.body.properties;
const { ios, android, huawei, vivo } = messageSchema.properties;

/** Parts of the contract that programs will want to name. Parts that look the same share the name. */
const records: readonly [name: string, role: Role, schema: object][] = [
  ['TokenRecord', 'answer', tokenRecord],
  ['User', 'answer', userRecord],
  ['Device', 'answer', deviceRecord],
  ['Binding', 'answer', deviceRecord.properties.bindings.items],
  ['App', 'answer', appRecord],
  ['Group', 'answer', adminGroupList.data.properties.list.items],
  ['AdminToken', 'answer', adminTokenList.data.items],
  ['Certificate', 'answer', certificateRecord],
  ['Channel', 'answer', channelRecord],
  ['PushCertificate', 'answer', pushCertificate.data],
  ['PushStatistics', 'answer', pushTaskDetail.data.items],
  ['AuditEntry', 'answer', adminAuditList.data.properties.list.items],
  ['Audience', 'request', audience],
  ['PushSetting', 'request', setting],
  ['Message', 'request', messageSchema],
  ['IosParameters', 'request', ios],
  ['AndroidParameters', 'request', android],
  ['HuaweiParameters', 'request', huawei],
  ['VivoParameters', 'request', vivo],
];

export const namedRecords: readonly { readonly name: string; readonly role: Role; readonly schema: Schema }[] =
  records.map(([name, role, schema]) => ({ name, role, schema: schema as Schema }));

const keyOf = (role: Role, schema: Schema): string => `${role} ${JSON.stringify(schema)}`;
const nameByKey = new Map(namedRecords.map(({ name, role, schema }) => [keyOf(role, schema), name]));

export const recordNameOf = (role: Role, schema: Schema): string | undefined => nameByKey.get(keyOf(role, schema));

/** `/admin/user/create` as `AdminUserCreate`. */
export const typeNameOf = (path: string): string =>
  path
    .slice(1)
    .split('/')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
