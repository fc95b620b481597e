import type { Motion, Reply } from '#src/signals/signals.ts';
import { type Process, thisProcess } from '../environment/scheduler.ts';
import type { World } from './simulated-system.ts';

interface Listener {
  readonly process: Process;
  readonly queue: string | undefined;
  readonly hear: (text: string) => string | undefined | Promise<string | undefined>;
}

/** NATS: it hurries things along, loses some, repeats some, and answers late or never. */
export class Bus {
  readonly #world: World;
  readonly #listeners = new Map<string, Listener[]>();
  downUntil = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** What one process holds of it. */
  connection(): Motion {
    const process = thisProcess();
    const motion = {
      publish: (subject: string, text: string) => this.#publish(subject, text),
      request: (subject: string, text: string, timeoutMs: number) => this.#request(subject, text, timeoutMs),
      subscribe: (subject: string, hear: Listener['hear'], { queue }: { queue?: string } = {}) => {
        this.#listeners.set(subject, [...(this.#listeners.get(subject) ?? []), { process, hear, queue }]);
      },
    };
    return motion as unknown as Motion;
  }

  #at(subject: string): Listener[] {
    const alive = (this.#listeners.get(subject) ?? []).filter(({ process }) => process.alive);
    this.#listeners.set(subject, alive);
    return alive;
  }

  get #down(): boolean {
    return this.downUntil > this.#world.scheduler.now;
  }

  /** One of those who listen hears each: those of a doorbell's queue, or the one gateway it is for. */
  #publish(subject: string, text: string): void {
    const { scheduler, random, faults } = this.#world;
    const listeners = this.#at(subject);
    if (this.#down || listeners.length === 0 || faults.strikes('doorbell lost', 0.3)) return;
    const times = faults.strikes('doorbell repeated', 0.1) ? 3 : 1;
    for (let i = 0; i < times; i++) {
      const { process, hear } = random.pick(listeners);
      scheduler.post(process, random.between(0, 20), `hears ${subject}`, () => hear(text));
    }
  }

  #request(subject: string, text: string, timeoutMs: number): Promise<Reply> {
    const { scheduler, random, faults, oracle } = this.#world;
    const asker = thisProcess();
    asker.steps++;
    if (subject.endsWith('.deliver')) oracle.delivering(asker, text);
    const [listener] = this.#at(subject);
    return new Promise((resolve) => {
      let open = true;
      const answer = (ms: number, reply: Reply) =>
        scheduler.post(asker, ms, '', () => {
          if (open) scheduler.note(`${asker.name}: ${subject}: ${reply.kind}`);
          open = false;
          resolve(reply);
        });
      if (this.#down || !listener) {
        answer(random.between(1, 5), { kind: 'nobody' });
        return;
      }
      answer(timeoutMs, { kind: 'silence' });
      if (faults.strikes('request lost', 0.05)) return;
      scheduler.post(listener.process, random.between(1, 10), `is asked ${subject}`, async () => {
        const reply = await listener.hear(text);
        if (reply === undefined || faults.strikes('reply lost', 0.05)) return;
        answer(random.between(1, 10), { kind: 'answer', text: reply });
      });
    });
  }
}
