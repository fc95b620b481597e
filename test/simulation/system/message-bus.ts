import type { Reply, Signals } from '#src/signals/signals.ts';
import { currentProcess, type Process } from '../environment/scheduler.ts';
import type { SimulatedSystem } from './simulated-system.ts';

interface Listener {
  readonly process: Process;
  readonly queue: string | undefined;
  readonly onMessage: (text: string) => string | undefined | Promise<string | undefined>;
}

/** The simulated NATS. It loses and repeats some messages, and replies late or never. */
export class MessageBus {
  readonly #system: SimulatedSystem;
  readonly #listeners = new Map<string, Listener[]>();
  downUntil = 0;

  constructor(system: SimulatedSystem) {
    this.#system = system;
  }

  /** Returns a connection for the current process. */
  connection(): Signals {
    const process = currentProcess();
    const signals = {
      publish: (subject: string, text: string) => this.#publish(subject, text),
      request: (subject: string, text: string, timeoutMs: number) => this.#request(subject, text, timeoutMs),
      subscribe: (subject: string, onMessage: Listener['onMessage'], { queue }: { queue?: string } = {}) => {
        this.#listeners.set(subject, [...(this.#listeners.get(subject) ?? []), { process, onMessage, queue }]);
      },
    };
    return signals as unknown as Signals;
  }

  #liveListeners(subject: string): Listener[] {
    const alive = (this.#listeners.get(subject) ?? []).filter(({ process }) => process.alive);
    this.#listeners.set(subject, alive);
    return alive;
  }

  get #down(): boolean {
    return this.downUntil > this.#system.scheduler.now;
  }

  /**
   * Delivers a message to one listener: a member of the wake-up queue group, or the gateway that it is addressed to.
   */
  #publish(subject: string, text: string): void {
    const { scheduler, random, faults } = this.#system;
    const listeners = this.#liveListeners(subject);
    if (this.#down || listeners.length === 0 || faults.happens('wake-up lost', 0.3)) return;
    const times = faults.happens('wake-up repeated', 0.1) ? 3 : 1;
    for (let i = 0; i < times; i++) {
      const { process, onMessage } = random.pick(listeners);
      scheduler.post(process, random.between(0, 20), `receives ${subject}`, () => onMessage(text));
    }
  }

  #request(subject: string, text: string, timeoutMs: number): Promise<Reply> {
    const { scheduler, random, faults, oracle } = this.#system;
    const caller = currentProcess();
    caller.steps++;
    if (subject.endsWith('.deliver')) oracle.delivering(caller, text);
    const [listener] = this.#liveListeners(subject);
    return new Promise((resolve) => {
      let open = true;
      const answer = (ms: number, reply: Reply) =>
        scheduler.post(caller, ms, '', () => {
          if (open) scheduler.note(`${caller.name}: ${subject}: ${reply.kind}`);
          open = false;
          resolve(reply);
        });
      if (this.#down || !listener) {
        answer(random.between(1, 5), { kind: 'no-responders' });
        return;
      }
      answer(timeoutMs, { kind: 'timeout' });
      if (faults.happens('request lost', 0.05)) return;
      scheduler.post(listener.process, random.between(1, 10), `receives a request ${subject}`, async () => {
        const reply = await listener.onMessage(text);
        if (reply === undefined || faults.happens('reply lost', 0.05)) return;
        answer(random.between(1, 10), { kind: 'response', text: reply });
      });
    });
  }
}
