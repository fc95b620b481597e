/** Values that are created when they are first requested. */
export class LazyMap<K, V> {
  readonly #create: (key: K) => V;
  readonly #values = new Map<K, V>();

  constructor(create: (key: K) => V) {
    this.#create = create;
  }

  get(key: K): V {
    let value = this.#values.get(key);
    if (value === undefined) {
      value = this.#create(key);
      this.#values.set(key, value);
    }
    return value;
  }

  /** Returns the values that have been created. */
  values(): Iterable<V> {
    return this.#values.values();
  }
}
