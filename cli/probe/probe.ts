import { type Carillon, CarillonError, CarillonUnreachable, operations } from '../../sdk/src/index.ts';
import { adviceFor, CommandFailed } from '../failure.ts';
import { type FollowedTask, followTask, type Trace } from './follow-task.ts';
import {
  adviceForResult,
  CALLBACK_ADVICE,
  cleanUpAdvice,
  credentialsAdvice,
  NO_RESULT_ADVICE,
  SCOPES_ADVICE,
} from './probe-advice.ts';
import { TestUser } from './probe-user.ts';
import { REDACTED, type Redactor } from './redact.ts';
import type { ProbedDevice, ProbedVendor, Step, StepName, StepResult, VendorResult } from './step.ts';

export interface ProbeOptions {
  readonly vendor: ProbedVendor;
  readonly device: ProbedDevice;
  readonly badToken: string;
  readonly message: object;
  /** Maximum time until the vendor responds to a notification. */
  readonly sendSeconds: number;
  /** Maximum time to wait for a receipt. With 0, the step is skipped. */
  readonly receiptSeconds: number;
}

export interface ProbeContext {
  /** Calls that create or delete are never aborted, so that their result is known. */
  readonly client: Carillon;
  /** Calls that only wait are aborted by `stop`. */
  readonly waitingClient: Carillon;
  readonly stop: AbortSignal;
  readonly redactor: Redactor;
  readonly onStep: (step: Step) => void;
  /** Reports the progress of a step that can take long. */
  readonly onWait: (text: string, elapsedSeconds: number, secondsMax: number) => void;
}

/** Checks one vendor with real credentials and a real device. */
export class Probe {
  readonly #options: ProbeOptions;
  readonly #context: ProbeContext;
  readonly #user: TestUser;
  readonly #openTasks = new Map<bigint, FollowedTask>();
  #hasDefaultUrl: boolean | undefined;
  #target: FollowedTask | undefined;
  #sentAt = 0;
  #pushToken = '';
  #badPushToken = '';

  constructor(options: ProbeOptions, context: ProbeContext) {
    this.#options = options;
    this.#context = context;
    this.#user = new TestUser(context.client, context.redactor);
  }

  /** Whether the service calls the default URL of the vendor. Undefined if an older service does not report it. */
  get hasDefaultUrl(): boolean | undefined {
    return this.#hasDefaultUrl;
  }

  /** The command that deletes the test user. Undefined if there is none. */
  get leftover(): string | undefined {
    return this.#user.mayExist ? cleanUpAdvice(this.#user.name) : undefined;
  }

  /** Runs the steps in order, until one fails that the next ones need. Throws if `stop` is aborted. */
  async run(): Promise<void> {
    const isReady =
      (await this.#step('credentials', () => this.#checkCredentials())) &&
      (await this.#step('devices', () => this.#addDevices())) &&
      (await this.#step('notification', () => this.#notify()));
    if (!isReady) return;
    await this.#step('bad token', () => this.#notifyBadToken());
    await this.#step('receipt', () => this.#waitForReceipt());
  }

  /** Cancels open tasks, and deletes the user and the devices. */
  async cleanUp(): Promise<void> {
    if (!this.#user.mayExist && this.#openTasks.size === 0) return;
    await this.#step('clean-up', async () => {
      for (const taskId of this.#openTasks.keys()) await this.#context.client.push.task.cancel({ task_id: taskId });
      if (this.#user.mayExist) await this.#user.delete();
      const text = 'The test user and its devices were deleted.';
      if (this.#options.device.kind === 'existing') return { state: 'ok', text };
      return {
        state: 'ok',
        text: `${text} If the app had bound this vendor token, start the app again so that it binds it again.`,
      };
    });
  }

  /** Runs a step and reports its result. Returns whether it succeeded. */
  async #step(check: StepName, run: () => Promise<StepResult>): Promise<boolean> {
    const { redactor, stop, onStep } = this.#context;
    const startedAt = performance.now();
    if (check !== 'clean-up') stop.throwIfAborted();
    let result: StepResult;
    try {
      result = await run();
    } catch (error) {
      if (check !== 'clean-up') stop.throwIfAborted();
      // Without access to the service, nothing about the vendor can be reported.
      if (check === 'credentials') throw withScopes(error);
      result = { state: 'wrong', ...resultOfError(error, check === 'clean-up' ? this.leftover : undefined) };
    }
    const { text, advice } = result;
    onStep({
      results: [],
      ...result,
      check,
      seconds: (performance.now() - startedAt) / 1_000,
      text: redactor.redact(text),
      ...(advice !== undefined && { advice: redactor.redact(advice) }),
    });
    return result.state !== 'wrong';
  }

  async #checkCredentials(): Promise<StepResult> {
    const { waitingClient, redactor } = this.#context;
    const { provider, environment, displayName } = this.#options.vendor;
    const saved = await waitingClient.admin.certificate.list();
    const credentials = saved.find((one) => one.provider === provider && one.environment === environment);
    if (!credentials)
      return {
        state: 'wrong',
        text: `The app has no credentials for ${displayName} in environment ${environment}.`,
        advice: credentialsAdvice(this.#options.vendor),
      };
    redactor.addIdentifiers(credentials.app_id, credentials.app_key);
    const { result, reason, default_url } = await waitingClient.admin.certificate.check({ provider, environment });
    this.#hasDefaultUrl = default_url as boolean | undefined;
    const results = [{ code: result, detail: reason === '' ? null : redactor.redactVendorText(reason) }];
    if (result === 'refused')
      return {
        state: 'wrong',
        text: `${displayName} rejects the credentials: ${results[0]?.detail}`,
        advice: credentialsAdvice(this.#options.vendor),
        results,
      };
    if (result === 'unknown')
      return {
        state: 'wrong',
        text: `The credentials could not be checked with ${displayName}: ${results[0]?.detail}`,
        advice:
          'Check that the service can reach the vendor (firewall, DNS, CARILLON_VENDOR_PROXY_URL), and try again.',
        results,
      };
    if (default_url === false)
      return {
        state: 'warning',
        text: `The credentials are accepted, but not by ${displayName}: a setting replaces the vendor's URL, for example with a simulator.`,
        advice: 'This run does not confirm the live service. Remove the setting of the URL to check the live service.',
        results,
      };
    return { state: 'ok', text: `${displayName} accepts the credentials.`, results };
  }

  async #addDevices(): Promise<StepResult> {
    const { vendor, device, badToken } = this.#options;
    this.#pushToken =
      device.kind === 'existing' ? device.pushToken : await this.#user.addDevice(vendor, device.vendorToken);
    this.#badPushToken = await this.#user.addDevice(vendor, badToken);
    const text =
      device.kind === 'existing'
        ? 'A test user with one device for the bad token was created.'
        : 'A test user with two devices was created, for the vendor token and for the bad token.';
    return { state: 'ok', text };
  }

  async #notify(): Promise<StepResult> {
    const { displayName } = this.#options.vendor;
    this.#sentAt = performance.now();
    this.#target = await this.#send(this.#pushToken);
    const trace = await this.#follow(this.#target, `Waiting for the response of ${displayName}`);
    const { results, last } = this.#resultsOf(trace);
    const common = { taskId: this.#target.taskId, results };
    if (last === 'accepted') return { ...common, state: 'ok', text: `${displayName} accepted the notification.` };
    return { ...common, ...this.#notAccepted(trace, last) };
  }

  async #notifyBadToken(): Promise<StepResult> {
    const { displayName } = this.#options.vendor;
    const task = await this.#send(this.#badPushToken);
    const trace = await this.#follow(task, `Waiting until ${displayName} rejects the bad token`);
    const { results, last } = this.#resultsOf(trace);
    const common = { taskId: task.taskId, results };
    switch (last) {
      case 'token-dead':
        return { ...common, state: 'ok', text: `${displayName} rejected the bad token as invalid.` };
      case 'refused':
        return {
          ...common,
          state: 'warning',
          text: `${displayName} rejected the notification to the bad token, but Carillon does not treat the code as an invalid token.`,
          advice:
            'Repeat the probe with --bad-token and the vendor token of a phone without the app. If the code is the same, report it to the project.',
        };
      case 'accepted':
        return {
          ...common,
          state: 'warning',
          text: `${displayName} accepted the notification to the bad token. It may report the token as invalid in a receipt.`,
          advice: 'Repeat the probe with --bad-token and the vendor token of a phone without the app.',
        };
      default:
        return { ...common, ...this.#notAccepted(trace, last) };
    }
  }

  async #waitForReceipt(): Promise<StepResult> {
    const { vendor, device, receiptSeconds } = this.#options;
    const { displayName, name, sendsReceipts } = vendor;
    if (receiptSeconds === 0)
      return {
        state: 'warning',
        text: 'Receipts were not checked.',
        advice: 'Set --receipt-seconds to a value above 0 to check them.',
      };
    if (!sendsReceipts && device.kind === 'new')
      return {
        state: 'warning',
        text: `Receipts were not checked: ${displayName} sends none, and the app on the phone does not know the new device.`,
        advice: 'To check receipts from the app, repeat the probe with --push-token instead of --vendor-token.',
      };
    const task = this.#target as FollowedTask;
    const sender = sendsReceipts ? displayName : 'the app';
    const trace = await followTask(this.#context.waitingClient, task, {
      seconds: receiptSeconds,
      stop: this.#context.stop,
      until: ({ channels }) => channels.some(({ channel, acknowledged }) => channel === name && acknowledged),
      onWait: (elapsed) => this.#context.onWait(`Waiting for a receipt from ${sender}`, elapsed, receiptSeconds),
    });
    const isReceived = trace?.channels.some(({ channel, acknowledged }) => channel === name && acknowledged) ?? false;
    const seconds = ((performance.now() - this.#sentAt) / 1_000).toFixed(1);
    if (isReceived)
      return {
        state: 'ok',
        text: `A receipt from ${sendsReceipts && device.kind === 'existing' ? `${displayName} or the app` : sender} was recorded at most ${seconds} s after the notification.`,
      };
    return {
      state: 'wrong',
      text: `No receipt from ${sender} was recorded within ${receiptSeconds} s.`,
      advice: sendsReceipts ? CALLBACK_ADVICE : 'Check that the app calls /device/receipt: docs/app/receipts.md.',
    };
  }

  async #send(pushToken: string): Promise<FollowedTask> {
    const { message, vendor } = this.#options;
    const { task_id: taskId } = await this.#context.client.push.notify({
      audience: { push_token: [pushToken] },
      // The service checks the message, which the user can replace.
      message: message as never,
      setting: { distribution_strategy: 'ospush_only', ospush_sequence: [sequenceWordOf(vendor)] as never },
    });
    const task = { taskId, pushToken };
    this.#openTasks.set(taskId, task);
    return task;
  }

  async #follow(task: FollowedTask, waitText: string): Promise<Trace | undefined> {
    const { sendSeconds } = this.#options;
    const { waitingClient, stop, onWait } = this.#context;
    const trace = await followTask(waitingClient, task, {
      seconds: sendSeconds,
      stop,
      until: (current) => isFinal(this.#resultsOf(current).last) || current.state === 'ended',
      onWait: (elapsed) => onWait(waitText, elapsed, sendSeconds),
    });
    if (trace && trace.state !== 'open' && trace.state !== 'outside') this.#openTasks.delete(task.taskId);
    return trace;
  }

  /** Returns the results of the vendor, and the code of the last one. */
  #resultsOf(trace: Trace | undefined): { results: VendorResult[]; last: string | undefined } {
    const results = (trace?.attempts ?? [])
      .filter(({ channel }) => channel === this.#options.vendor.name)
      .map(({ said, detail }) => ({
        code: said,
        detail: this.#redactDetail(said, detail),
      }));
    return { results, last: results.at(-1)?.code };
  }

  /** The detail of an accepted notification is the vendor's message ID, which identifies the notification. */
  #redactDetail(code: string, detail: string | null): string | null {
    if (detail === null) return null;
    return code === 'accepted' ? `message ID ${REDACTED}` : this.#context.redactor.redactVendorText(detail);
  }

  #notAccepted(trace: Trace | undefined, last: string | undefined): StepResult {
    const { vendor, sendSeconds } = this.#options;
    const why = this.#context.redactor.redactVendorText(trace?.why ?? '');
    return {
      state: 'wrong',
      text: `${vendor.displayName} ${last === undefined ? `did not respond within ${sendSeconds} s` : 'did not accept the notification'}. ${why}`.trim(),
      advice: last === undefined ? NO_RESULT_ADVICE : adviceForResult(last, vendor),
    };
  }
}

/** Results after which Carillon does not try this vendor again. */
const isFinal = (code: string | undefined): boolean =>
  code !== undefined && ['accepted', 'token-dead', 'refused', 'quota-spent', 'locked-out', 'unbound'].includes(code);

/** Returns the vendor's word in `ospush_sequence`. A vendor without a word is part of `ups`, or always used first. */
function sequenceWordOf({ name, displayName }: ProbedVendor): string {
  const setting = operations['/push/notify'].fields.find((field) => field.name === 'setting');
  const words = setting?.fields?.find((field) => field.name === 'ospush_sequence')?.choices ?? [];
  return [name, displayName.toLowerCase()].find((word) => words.includes(word)) ?? 'ups';
}

const NO_PERMISSION = 10010;

const withScopes = (error: unknown): unknown =>
  error instanceof CarillonError && error.code === NO_PERMISSION
    ? new CommandFailed(`${error.message} ${SCOPES_ADVICE}`, { cause: error })
    : error;

function resultOfError(error: unknown, leftover: string | undefined): Pick<Step, 'text' | 'advice'> {
  if (error instanceof CarillonUnreachable)
    return { text: error.message, advice: leftover ?? 'Check --url, or CARILLON_URL, and try again.' };
  if (!(error instanceof CarillonError)) throw error;
  return {
    text: `The service returned error ${error.code} for ${error.operation}: ${error.message}`,
    advice:
      leftover ??
      (error.code === NO_PERMISSION ? SCOPES_ADVICE : adviceFor(error)) ??
      'docs/reference/errors.md explains the error code.',
  };
}
