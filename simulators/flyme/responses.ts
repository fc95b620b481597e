import { type HttpResponse, jsonResponse, type SimulatedResponse } from '../kit/https.ts';

/** Meizu's codes for a whole request, with texts like Meizu's own. All of them have HTTP status 200. */
const messageTexts = {
  '200': '',
  '1003': '服务器忙',
  '1005': '参数错误',
  '1006': '签名认证失败',
  '110000': 'appId不合法',
  '110003': 'pushId不合法',
  '110004': '参数不能为空',
  '110010': '应用请求频率超过限制',
  '110019': '应用推送次数超过每日限制',
  '110031': '包名不合法',
  '110053': '透传消息推送受限',
} as const;

export type Code = keyof typeof messageTexts;

/**
 * Returns an error response. The code is a string, and `value` is an empty string. `detail` explains the error to the
 * user of the simulator.
 */
export function errorResponse(code: Exclude<Code, '200'>, detail?: string): HttpResponse {
  const message = detail === undefined ? messageTexts[code] : `${messageTexts[code]}: ${detail}`;
  return jsonResponse(200, { code, message, value: '', redirect: '' });
}

export function rejection(code: Exclude<Code, '200'>, detail?: string): SimulatedResponse {
  return { kind: 'answer', label: `200 ${code}`, response: errorResponse(code, detail) };
}

/** Returns a successful response. `value` lists the rejected tokens by code; the other tokens were accepted. */
export function acceptance(msgId: string, value: object): SimulatedResponse & { kind: 'answer' } {
  const response = jsonResponse(200, { code: '200', message: '', value, redirect: '', msgId });
  return { kind: 'answer', label: '200 200', response };
}

/** Returns a response from a server in front of the service. The response contains no Meizu code. */
export function plainResponse(status: number, text: string): SimulatedResponse {
  const response = { status, headers: { 'content-type': 'text/plain' }, body: text };
  return { kind: 'answer', label: String(status), response };
}

let messageCount = 0;

/** Returns a message id in Meizu's format: `NS`, the time, and numbers separated by underscores. */
export function newMessageId(nowMs: number, appId: string): string {
  const time = new Date(nowMs).toISOString().replace(/\D/g, '').slice(0, 17);
  messageCount += 1;
  return `NS${time}_0_${appId}_1_${messageCount}`;
}
