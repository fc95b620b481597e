import assert from 'node:assert/strict';
import { tokens } from './fixtures.ts';

/**
 * `legal`: a value that the field takes. `blank`: what counts as not given. `illegal`: a value that it refuses. `rule`:
 * anything else that the contract says. `coverage.test.ts` wants the first three for every field of every request.
 */
export type Kind = 'legal' | 'blank' | 'illegal' | 'rule';

/** One rule of the contract, with the calls that show it. */
export interface Row {
  readonly rule: string;
  /** What the rule is about: the operation, then `body.…`, `query.…`, `header.…` or nothing. `[]` is a list's item. */
  readonly path: string;
  readonly kind: Kind;
  /** Alike in what they show: all must be answered as told. */
  readonly cases: readonly Case[];
}

export interface Case {
  /** Calls that come first, one after the other. Whatever they answer, the rule is about the one that follows. */
  readonly before?: readonly Call[];
  readonly call: Call;
  readonly expect: Expect;
}

export interface Call {
  /** POST unless told otherwise. */
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  /** The headers of a caller; null leaves one out. Unless told otherwise an admin of the first app calls. */
  readonly app?: string | null;
  readonly token?: string | FromContext | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Printed as JSON, a `Later` anywhere in it as what it turns out to be. */
  readonly body?: unknown;
  /** In place of `body`: sent as it is. */
  readonly text?: string;
  /** Sent to the second process of the service. */
  readonly onOtherApi?: boolean;
}

/** What is known only when a row is played. */
export interface CaseContext {
  readonly nowSeconds: number;
  /** The tasks that the calls before were answered with. */
  readonly tasks: readonly bigint[];
  /** The `data` of the calls before. */
  readonly responses: readonly unknown[];
  /** Where the images are, for the rows about their size. */
  readonly imagesUrl: string;
}
export type FromContext = (moment: CaseContext) => unknown;

export interface Expect {
  readonly code: number;
  /** Unless told otherwise, the status that belongs to the code. */
  readonly status?: number;
  readonly message?: RegExp;
  /** The fields that `data` must have; of a text, a pattern. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Fields of `data` that must have another value than this. */
  readonly otherData?: Readonly<Record<string, FromContext>>;
  readonly dataWithout?: readonly string[];
  /** The rows of `data.list`, or of `data`, in this order; of a record only the fields that are told here. */
  readonly rows?: readonly unknown[];
  /** The `task_id`s of `data`, in this order. */
  readonly list?: readonly unknown[];
  /** The answer as it is written. */
  readonly text?: RegExp;
  readonly headers?: Readonly<Record<string, RegExp | null>>;
  readonly task?: ExpectedTask;
  /** Another task than those of the calls before. */
  readonly isNewTask?: boolean;
  readonly tokenDays?: number;
  /** The live binding with this token, at this vendor and in this environment. */
  readonly binding?: { readonly token: string; readonly channel: string; readonly environment: number };
}

/** The task as it was stored. */
export interface ExpectedTask {
  /** All of it. */
  readonly message?: unknown;
  readonly audience?: unknown;
  readonly strategy?: string;
  readonly sequence?: readonly string[];
  readonly author?: string;
  readonly groupId?: bigint | null;
  /** In Unix seconds, or when it was accepted. */
  readonly due?: FromContext | 'now';
  /** In Unix seconds, or 24 hours after it is due. */
  readonly end?: FromContext | 'a day later';
}

export const inSeconds =
  (seconds: number): FromContext =>
  ({ nowSeconds }) =>
    nowSeconds + seconds;

/** The task that the n-th call before was answered with. */
export const taskOf =
  (n: number): FromContext =>
  ({ tasks }) =>
    tasks[n];

/** A field that the n-th call before was answered with. */
export const fromResponse =
  (n: number, field: string): FromContext =>
  ({ responses }) => {
    const value = (responses[n] as Record<string, unknown> | null | undefined)?.[field];
    assert.notEqual(value, undefined, `call ${n} was answered without ${field}`);
    return value;
  };

export const imageAt =
  (path: string): FromContext =>
  ({ imagesUrl }) =>
    imagesUrl + path;

/** The status that belongs to each code, as the design says. 10002 is also 415 and 10006 also 405, where a row says so. */
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
  12029: 429,
  20001: 404,
  40000: 404,
  50000: 500,
  50003: 503,
};

export const INT64_MAX = 9_223_372_036_854_775_807n;
export const INT64_MIN = -9_223_372_036_854_775_808n;
export const DAY = 86_400;
export const MEGABYTE = 1_048_576;

/** Every way to say nothing; `absent` leaves the field out. */
export const absent = Symbol('absent');
export const blanks = [absent, null, '', '  ', [], {}] as const;

export const notText = [1, true, ['a'], { a: 'b' }] as const;
export const notObject = [1, true, 'text', ['a']] as const;
export const notBoolean = [0, 1, 'true', ['a'], { a: true }] as const;
/** For an int32 and an int64 alike. */
export const notInteger = ['1', true, 1.5, [1], { a: 1 }] as const;
export const notInt64 = [...notInteger, INT64_MAX + 1n, INT64_MIN - 1n, 1e30] as const;

export const ok: Expect = { code: 200 };
export const refused = (code: number, message?: RegExp): Expect => ({ code, ...(message && { message }) });

/** A row of one call. */
export const row = (kind: Kind, path: string, rule: string, call: Call, expect: Expect): Row => ({
  rule,
  path,
  kind,
  cases: [{ call, expect }],
});

/** A copy of a body in which a field, named by a dotted path, has another value. */
export function withField(body: unknown, path: string, value: unknown): Record<string, unknown> {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const copy = { ...(body as Record<string, unknown>) };
  if (rest.length > 0) copy[name] = withField(copy[name] ?? {}, rest.join('.'), value);
  else if (value === absent) delete copy[name];
  else copy[name] = value;
  return copy;
}

/** What one field of a body takes and refuses, in words. */
export interface Field {
  readonly name: string;
  /** What it takes: in words, and the values. */
  readonly takes: Readonly<Record<string, readonly unknown[]>>;
  /** What it refuses: in words, the code, and the values. */
  readonly refuses: Readonly<Record<string, readonly [code: number, ...values: readonly unknown[]]>>;
}

/** How a field's rows are made out of a good call. */
export interface FieldRules {
  readonly path: string;
  readonly body: unknown;
  readonly app?: string;
  readonly token?: string | null;
  /** Calls that come before each. */
  readonly before?: readonly Call[];
  /** What comes of a value that is taken. */
  readonly taken: (name: string, value: unknown) => Expect;
  /** What comes of a blank, by default that the field is required. */
  readonly blank?: (name: string) => Expect;
  readonly blankForms?: readonly unknown[];
}

export function fieldRows(rules: FieldRules, { name, takes, refuses }: Field): Row[] {
  const { path, body, app, token = tokens.admin, before = [], taken } = rules;
  const { blank = () => refused(10002), blankForms = blanks } = rules;
  const callWith = (value: unknown): Call => ({
    path,
    ...(app !== undefined && { app }),
    token,
    body: withField(body, name, value),
  });
  const caseOf = (value: unknown, expect: Expect): Case => ({ before, call: callWith(value), expect });
  const about = `${path} body.${name}`;
  return [
    ...Object.entries(takes).map(([what, values]): Row => {
      const cases = values.map((value) => caseOf(value, taken(name, value)));
      return { rule: `${about} takes ${what}`, path: about, kind: 'legal', cases };
    }),
    {
      rule: `${about} ${blank(name).code === 200 ? 'may be blank in every form' : 'must not be blank in any form'}`,
      path: about,
      kind: 'blank',
      cases: blankForms.map((value) => caseOf(value, blank(name))),
    },
    ...Object.entries(refuses).map(([what, [code, ...values]]): Row => {
      const cases = values.map((value) => caseOf(value, refused(code)));
      return { rule: `${about} refuses ${what}: ${code}`, path: about, kind: 'illegal', cases };
    }),
  ];
}
