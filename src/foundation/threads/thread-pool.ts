import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Semaphore } from '../semaphore.ts';

/** Thrown if a call takes too long. Its thread is ended. */
export class ThreadTimeout extends Error {
  override name = 'ThreadTimeout';
}

interface ThreadPoolOptions {
  /** The module that runs in the threads. It posts one message for each message that it receives. */
  readonly program: URL;
  readonly threads: number;
  /** Maximum number of waiting calls. Further calls are rejected immediately. */
  readonly queueMax: number;
  readonly groupQueueMax?: number;
  readonly secondsMax?: number;
  readonly memoryMbMax?: number;
}

/** Runs expensive functions in a limited number of threads. Threads are started when needed, and used again. */
export class ThreadPool<Request, Response> {
  readonly #options: ThreadPoolOptions;
  readonly #slots: Semaphore;
  readonly #idle: Worker[] = [];

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    const { threads: slots, queueMax, groupQueueMax = queueMax } = options;
    this.#slots = new Semaphore({ slots, queueMax, groupQueueMax });
  }

  /** Calls the module in a thread. The groups of waiting calls take turns. */
  run(request: Request, group = ''): Promise<Response> {
    return this.#slots.run(async () => {
      const thread = this.#idle.pop() ?? this.#start();
      thread.ref(); // keeps the process running until the result is received
      try {
        thread.postMessage(request);
        const response = await this.#receive(thread);
        this.#idle.push(thread); // a failed thread is not used again
        return response;
      } catch (error) {
        void thread.terminate();
        throw error;
      } finally {
        thread.unref();
      }
    }, group);
  }

  async #receive(thread: Worker): Promise<Response> {
    const { secondsMax } = this.#options;
    const signal = secondsMax === undefined ? undefined : AbortSignal.timeout(secondsMax * 1_000);
    try {
      const [response] = (await once(thread, 'message', signal && { signal })) as [Response];
      return response;
    } catch (cause) {
      if (signal?.aborted) throw new ThreadTimeout(`A call took more than ${secondsMax} s.`, { cause });
      throw cause;
    }
  }

  #start(): Worker {
    const { program, memoryMbMax } = this.#options;
    return new Worker(
      program,
      memoryMbMax === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memoryMbMax } },
    );
  }
}
