type Listener<Event> = (event: Event) => void;

/** Tells listeners what happens. One that throws is the page's own failure, and keeps nobody else from hearing. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();

  /** Answers a function that ends the listening. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** Answers whether anybody listens. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): boolean {
    const listeners = [...(this.#listeners.get(name) ?? [])] as unknown as Listener<Events[Name]>[];
    for (const listener of listeners)
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    return listeners.length > 0;
  }
}
