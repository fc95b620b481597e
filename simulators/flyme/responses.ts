import { type Answer, type Ending, jsonAnswer } from '../kit/https.ts';

/** Meizu's codes of a whole request, with words like its own (vendor sheet §5). All of them travel with status 200. */
const words = {
  '200': '',
  '1003': '服务器忙',
  '1005': '参数错误',
  '1006': '签名认证失败',
  '110000': 'appId不合法',
  '110004': '参数不能为空',
  '110010': '应用请求频率超过限制',
  '110019': '应用推送次数超过每日限制',
  '110031': '包名不合法',
  '110053': '透传消息推送受限',
} as const;

export type Code = keyof typeof words;

/** A code is a text, and `value` an empty one when there is nothing to say. `why` is for a person at a simulator. */
export function refusalOf(code: Exclude<Code, '200'>, why?: string): Answer {
  const message = why === undefined ? words[code] : `${words[code]}: ${why}`;
  return jsonAnswer(200, { code, message, value: '', redirect: '' });
}

export function refused(code: Exclude<Code, '200'>, why?: string): Ending {
  return { kind: 'answer', label: `200 ${code}`, answer: refusalOf(code, why) };
}

/** `value` lists by code what failed; everything else was accepted. */
export function accepted(msgId: string, value: object): Ending & { kind: 'answer' } {
  const answer = jsonAnswer(200, { code: '200', message: '', value, redirect: '', msgId });
  return { kind: 'answer', label: '200 200', answer };
}

/** An answer from in front of the service, which has no code. */
export function bareAnswer(status: number, text: string): Ending {
  const answer = { status, headers: { 'content-type': 'text/plain' }, body: text };
  return { kind: 'answer', label: String(status), answer };
}

let messages = 0;

/** As in real traffic: `NS`, the time, and numbers between underscores. */
export function newMessageId(nowMs: number, appId: string): string {
  const time = new Date(nowMs).toISOString().replace(/\D/g, '').slice(0, 17);
  messages += 1;
  return `NS${time}_0_${appId}_1_${messages}`;
}
