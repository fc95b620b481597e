import { type HttpResponse, jsonResponse, type SimulatedResponse } from '../kit/https.ts';

/** vivo's codes with texts like vivo's own. All of them have HTTP status 200. */
const messageTexts = {
  0: '请求成功',
  10000: '权限认证失败',
  10050: 'alias和regId不能都为空',
  10054: 'notifyType不合法',
  10055: 'title不能为空',
  10056: 'title不能超过40个字符',
  10057: 'content不能为空',
  10058: 'content不能超过100个字符',
  10059: 'timeToLive不合法',
  10060: 'skipType不合法',
  10065: 'networkType不合法',
  10067: 'clientCustomMap不合法',
  10070: '发送量已超出每日总量限制',
  10071: '超出允许发送的时间范围',
  10072: '推送速度过快，请稍后再试',
  10073: '系统消息发送量已超出每日总量限制',
  10093: '获取鉴权接口调用频率过高',
  10094: 'appId与authToken不匹配',
  10095: 'notifyId不合法',
  10096: 'category不合法',
  10097: 'category与classification不匹配',
  10104: '正式消息不能为测试内容',
  10150: 'regIds不能为空',
  10151: 'taskId不能为空',
  10152: 'taskId不合法',
  10153: 'regIds数量必须在2到1000之间',
  10155: '消息不存在或已过期',
  10200: 'appId不能为空',
  10201: 'appKey不能为空',
  10202: 'appKey不合法',
  10203: 'timestamp不能为空',
  10204: 'sign不能为空',
  10205: 'appId不存在',
  10206: 'sign不正确',
  10207: 'timestamp不合法',
  10252: '群推消息体数量超出每日限制',
  10302: 'regId不合法',
  10304: 'extra不合法',
  10305: 'callback长度不能超过128',
  10306: 'callback.param长度不能超过192',
  10311: '设备暂不可推送',
  10352: 'requestId不能为空',
  10353: 'requestId长度不能超过64',
  10800: '参数不合法',
} as const;

export type Code = keyof typeof messageTexts;

/** Returns a response. `detail` explains an error to the user of the simulator. */
export function responseOf(code: Code, extraFields: object = {}, detail?: string): HttpResponse {
  return jsonResponse(200, {
    result: code,
    desc: detail === undefined ? messageTexts[code] : `${messageTexts[code]}: ${detail}`,
    ...extraFields,
  });
}

export function toResult(
  code: Code,
  extraFields: object = {},
  detail?: string,
): SimulatedResponse & { kind: 'answer' } {
  return { kind: 'answer', label: `200 ${code}`, response: responseOf(code, extraFields, detail) };
}

/** Returns a plain text response, as for status 500 or from a server in front of the service. */
export function plainResponse(status: number, text: string): SimulatedResponse {
  const response = { status, headers: { 'content-type': 'text/plain' }, body: text };
  return { kind: 'answer', label: String(status), response };
}

const TASK_ID_DIGITS = 18;

/**
 * Returns a task id: the time followed by random digits. Like vivo's ids, it is larger than `Number.MAX_SAFE_INTEGER`.
 */
export function newTaskId(nowMs: number): string {
  const digits = String(nowMs);
  return digits + String(Math.floor(Math.random() * 1e5)).padStart(TASK_ID_DIGITS - digits.length, '0');
}
