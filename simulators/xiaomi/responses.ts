import { randomInt } from 'node:crypto';
import { type HttpResponse, jsonResponse, type SimulatedResponse } from '../kit/https.ts';

/** Xiaomi's codes and texts. All of them have HTTP status 200. */
const descriptions = {
  0: '成功',
  10002: '服务暂停',
  10007: '不支持的MediaType',
  10008: '参数错误',
  10016: '缺失必选参数',
  10017: '参数值非法',
  10020: '接口不存在',
  10021: 'HTTP方法不支持',
  10025: '回执地址非法',
  10031: '应用被禁止操作',
  20301: '发送消息失败',
  21301: '认证失败',
  22022: '应用包名不合法',
  27001: '通道信息不匹配',
  65009: '消息过长',
  65011: '标题或描述为空',
  65014: 'extra过多',
  65015: 'extra过长',
  66007: 'regid不合法',
  70012: 'jobkey不合法',
  200001: '超过当日推送限额',
  200002: '超过QPS限额',
} as const satisfies Record<number, string>;

export type Code = keyof typeof descriptions;

/** Returns an error response. `reason` explains the error to the user of the simulator. */
export function errorResponse(
  code: Code,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return jsonResponse(
    200,
    { result: 'error', reason, trace_id: newTraceId(), code, description: descriptions[code] },
    headers,
  );
}

export function rejection(code: Code, reason: string): SimulatedResponse {
  return { kind: 'answer', label: `200 ${code}`, response: errorResponse(code, reason) };
}

/** Returns a successful response. Invalid tokens are joined in one string, which is absent if all tokens are valid. */
export function successResponse(messageId: string, targets: number, bad: readonly string[]): HttpResponse {
  return jsonResponse(200, {
    result: 'ok',
    trace_id: newTraceId(),
    code: 0,
    data: { id: messageId, day_quota: '10000', day_acked: '1', ...(bad.length > 0 && { bad_regids: bad.join(',') }) },
    description: descriptions[0],
    info: `Received push messages for ${targets} REGID`,
  });
}

/**
 * Returns an id in Xiaomi's format: `s` for a message to tokens, the location that accepted it, the time, and a suffix.
 */
export function newMessageId(nowMs: number): string {
  return `scm${nowMs}${String(randomInt(100_000)).padStart(5, '0')}t`;
}

function newTraceId(): string {
  return `Xcm${Date.now()}${randomInt(1_000)}K9`;
}
