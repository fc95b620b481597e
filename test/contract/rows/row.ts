import assert from 'node:assert/strict';
import { tokens } from './fixtures.ts';

/**
 * `legal`: a value that the field accepts. `blank`: a value that counts as missing. `illegal`: a value that the field
 * rejects. `rule`: any other rule of the contract. `coverage.test.ts` requires the first three for every request field.
 */
export type Kind = 'legal' | 'blank' | 'illegal' | 'rule';

/** One rule of the contract, with the calls that test it. */
export interface Row {
  readonly rule: string;
  /** The subject of the rule: the operation, then `body.…`, `query.…`, `header.…` or nothing. `[]` is a list item. */
  readonly path: string;
  readonly kind: Kind;
  /** Equivalent cases of the rule. All of them must return the expected response. */
  readonly cases: readonly Case[];
}

export interface Case {
  /** Calls that are sent before `call`, in sequence. `expect` applies only to the response to `call`. */
  readonly before?: readonly Call[];
  readonly call: Call;
  readonly expect: Expect;
}

export interface Call {
  /** Default: POST. */
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  /** App ID and token of the caller; null omits the header. Default: an admin of `bells`. */
  readonly app?: string | null;
  readonly token?: string | FromContext | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. Every `FromContext` in it is replaced by its value. */
  readonly body?: unknown;
  /** Sent without changes, instead of `body`. */
  readonly text?: string;
  /** Sends the call to the second process of the service. */
  readonly onOtherApi?: boolean;
}

/** Values that are known only when a case runs. */
export interface CaseContext {
  readonly nowSeconds: number;
  /** Task IDs that the previous calls returned. */
  readonly tasks: readonly bigint[];
  /** The `data` that the previous calls returned. */
  readonly responses: readonly unknown[];
  /** Base URL of the images, for the rows about their size. */
  readonly imagesUrl: string;
}
export type FromContext = (moment: CaseContext) => unknown;

export interface Expect {
  readonly code: number;
  /** Default: the status that belongs to the code. */
  readonly status?: number;
  readonly message?: RegExp;
  /** Fields that `data` must have. A pattern is matched against the value as a string. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Fields of `data` that must differ from the given values. */
  readonly otherData?: Readonly<Record<string, FromContext>>;
  readonly dataWithout?: readonly string[];
  /** The rows of `data.list` or of `data`, in this order. Only the given fields of a record are compared. */
  readonly rows?: readonly unknown[];
  /** The values of `task_id` in `data`, in this order. */
  readonly list?: readonly unknown[];
  /** Pattern of the whole response body. */
  readonly text?: RegExp;
  readonly headers?: Readonly<Record<string, RegExp | null>>;
  readonly task?: ExpectedTask;
  /** If true, the task must differ from all tasks that the previous calls returned. */
  readonly isNewTask?: boolean;
  readonly tokenDays?: number;
  /** The live binding that must exist for the vendor token, with its channel and environment. */
  readonly binding?: { readonly token: string; readonly channel: string; readonly environment: number };
}

/** Expected values of the stored task. */
export interface ExpectedTask {
  /** The complete message. */
  readonly message?: unknown;
  readonly audience?: unknown;
  readonly strategy?: string;
  readonly sequence?: readonly string[];
  readonly author?: string;
  readonly groupId?: bigint | null;
  /** In Unix seconds, or `now` for the time of acceptance. */
  readonly due?: FromContext | 'now';
  /** In Unix seconds, or `a day later` for 24 hours after the task is due. */
  readonly end?: FromContext | 'a day later';
}

export const inSeconds =
  (seconds: number): FromContext =>
  ({ nowSeconds }) =>
    nowSeconds + seconds;

/** Returns the task ID in the response to the n-th call of the case, counted from 0. */
export const taskOf =
  (n: number): FromContext =>
  ({ tasks }) =>
    tasks[n];

/** Returns a field of the `data` in the response to the n-th call of the case, counted from 0. */
export const fromResponse =
  (n: number, field: string): FromContext =>
  ({ responses }) => {
    const value = (responses[n] as Record<string, unknown> | null | undefined)?.[field];
    assert.notEqual(value, undefined, `call ${n} returned no ${field}`);
    return value;
  };

export const imageAt =
  (path: string): FromContext =>
  ({ imagesUrl }) =>
    imagesUrl + path;

/** The HTTP status of each code. Rows override it where 10002 returns 415 or 10006 returns 405. */
export const statuses: Readonly<Record<number, number>> = {
  200: 200,
  402: 401,
  10000: 404,
  10002: 400,
  10003: 401,
  10004: 409,
  10006: 404,
  10008: 401,
  10010: 403,
  10013: 401,
  10014: 429,
  12002: 400,
  12005: 400,
  12007: 404,
  12008: 404,
  12009: 413,
  12010: 400,
  12011: 404,
  12012: 404,
  12013: 403,
  12014: 409,
  12015: 409,
  12029: 429,
  12030: 429,
  20001: 404,
  40000: 404,
  50000: 500,
  50003: 503,
};

export const INT64_MAX = 9_223_372_036_854_775_807n;
export const INT64_MIN = -9_223_372_036_854_775_808n;
export const DAY = 86_400;
export const MEGABYTE = 1_048_576;

/** Every kind of blank value; `absent` omits the field. */
export const absent = Symbol('absent');
export const blanks = [absent, null, '', '  ', [], {}] as const;

export const notText = [1, true, ['a'], { a: 'b' }] as const;
export const notObject = [1, true, 'text', ['a']] as const;
export const notBoolean = [0, 1, 'true', ['a'], { a: true }] as const;
/** Invalid for both int32 and int64. */
export const notInteger = ['1', true, 1.5, [1], { a: 1 }] as const;
export const notInt64 = [...notInteger, INT64_MAX + 1n, INT64_MIN - 1n, 1e30] as const;

export const ok: Expect = { code: 200 };
export const refused = (code: number, message?: RegExp): Expect => ({ code, ...(message && { message }) });

/** Returns a row with one call. */
export const row = (kind: Kind, path: string, rule: string, call: Call, expect: Expect): Row => ({
  rule,
  path,
  kind,
  cases: [{ call, expect }],
});

/** Returns a copy of a body with another value in the field at a dotted path. */
export function withField(body: unknown, path: string, value: unknown): Record<string, unknown> {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const copy = { ...(body as Record<string, unknown>) };
  if (rest.length > 0) copy[name] = withField(copy[name] ?? {}, rest.join('.'), value);
  else if (value === absent) delete copy[name];
  else copy[name] = value;
  return copy;
}

/** Values that a field of a body accepts and rejects, with descriptions. */
export interface Field {
  readonly name: string;
  /** Accepted values by description. */
  readonly takes: Readonly<Record<string, readonly unknown[]>>;
  /** Error code and rejected values by description. */
  readonly refuses: Readonly<Record<string, readonly [code: number, ...values: readonly unknown[]]>>;
}

/** Defines how the rows of a field are created from a valid call. */
export interface FieldRules {
  readonly path: string;
  readonly body: unknown;
  readonly app?: string | null;
  readonly token?: string | FromContext | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls that are sent before each case. */
  readonly before?: readonly Call[];
  /** Returns the expected response for an accepted value. */
  readonly taken: (name: string, value: unknown) => Expect;
  /** Returns the expected response for a blank value. Default: the field is required. */
  readonly blank?: (name: string) => Expect;
  readonly blankForms?: readonly unknown[];
}

export function fieldRows(rules: FieldRules, { name, takes, refuses }: Field): Row[] {
  const { path, body, app, token = tokens.admin, headers, before = [], taken } = rules;
  const { blank = () => refused(10002), blankForms = blanks } = rules;
  const callWith = (value: unknown): Call => ({
    path,
    ...(app !== undefined && { app }),
    token,
    ...(headers && { headers }),
    body: withField(body, name, value),
  });
  const caseOf = (value: unknown, expect: Expect): Case => ({ before, call: callWith(value), expect });
  const about = `${path} body.${name}`;
  return [
    ...Object.entries(takes).map(([what, values]): Row => {
      const cases = values.map((value) => caseOf(value, taken(name, value)));
      return { rule: `${about} accepts ${what}`, path: about, kind: 'legal', cases };
    }),
    {
      rule: `${about} ${blank(name).code === 200 ? 'can be blank' : 'must not be blank'}`,
      path: about,
      kind: 'blank',
      cases: blankForms.map((value) => caseOf(value, blank(name))),
    },
    ...Object.entries(refuses).map(([what, [code, ...values]]): Row => {
      const cases = values.map((value) => caseOf(value, refused(code)));
      return { rule: `${about} rejects ${what}: ${code}`, path: about, kind: 'illegal', cases };
    }),
  ];
}
