type Listener<Event> = (event: Event) => void;

/**
 * Calls the listeners of an event. An error thrown by a listener becomes an uncaught error and does not affect other
 * listeners.
 */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();

  /** Adds a listener and returns a function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** Calls the listeners. Returns whether the event has any listeners. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): boolean {
    const listeners = [...(this.#listeners.get(name) ?? [])] as unknown as Listener<Events[Name]>[];
    for (const listener of listeners)
      try {
        listener(event);
      } catch (error) {
        setTimeout(() => {
          throw error;
        }, 0);
      }
    return listeners.length > 0;
  }
}
