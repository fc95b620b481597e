import { randomUUID } from 'node:crypto';
import { type Answer, type Ending, jsonAnswer } from '../kit/https.ts';

/**
 * Honor's own table of codes is not public. These are Huawei's, which Honor's service grew out of, with the status that
 * such an error would have (vendor sheet §5). A correction is a change of this table.
 */
const answers = {
  80100001: [400, 'illegal parameter'],
  80100003: [400, 'illegal message structure'],
  80200001: [401, 'authentication failed'],
  80200003: [401, 'access token expired'],
  80300008: [400, 'message too large'],
  80300010: [400, 'too many or no tokens'],
} as const satisfies Record<number, readonly [number, string]>;

export type Code = keyof typeof answers;

export type Results = {
  readonly requestId: string;
  readonly failTokens: readonly string[];
  readonly expireTokens: readonly string[];
  readonly sendResult: boolean;
};

/** `code` is a number. Errors have no data. */
export function errorAnswer(code: Code, why?: string): Answer {
  const [status, words] = answers[code];
  return jsonAnswer(status, { code, message: why === undefined ? words : `${words}: ${why}`, data: null });
}

/** Some tokens may have failed: the lists say which, and the code stays 200. */
export function resultAnswer(results: Results): Answer {
  return jsonAnswer(200, { code: 200, message: 'success', data: results });
}

export function refusal(code: Code, why?: string): Ending {
  const answer = errorAnswer(code, why);
  return { kind: 'answer', label: `${answer.status} ${code}`, answer };
}

/** An answer from in front of the service; its code is its status. */
export function bareAnswer(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Ending {
  const answer = jsonAnswer(status, { code: status, message, data: null }, headers);
  return { kind: 'answer', label: String(status), answer };
}

export function newRequestId(): string {
  return randomUUID().replaceAll('-', '');
}
