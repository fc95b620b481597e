import type { TestEvent } from 'node:test/reporters';

/**
 * A result of the test runner. Without a path it is the sum of all files, which is absent if the runner was interrupted.
 * A file without a test is a passed test with the path of the file as its name.
 */
export interface TestResult {
  readonly file?: string | undefined;
  readonly success: boolean;
  readonly seconds: number;
  readonly counts: { readonly tests: number; readonly passed: number; readonly skipped: number; readonly todo: number };
}

/** A reporter for the test runner: one line of JSON per result, and one per test at the top level with its name. */
async function* reportResults(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.nesting === 0) yield `${JSON.stringify({ name: data.name })}\n`;
    if (type !== 'test:summary') continue;
    const result: TestResult = {
      file: data.file,
      success: data.success,
      seconds: data.duration_ms / 1_000,
      counts: data.counts,
    };
    yield `${JSON.stringify(result)}\n`;
  }
}

// biome-ignore lint/style/noDefaultExport: The test runner uses the default export.
export { reportResults as default };
