/** A map with at most `sizeMax` entries. Adding another entry evicts the least recently set one. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    super();
    this.#sizeMax = sizeMax;
  }

  override set(key: K, value: V): this {
    // A Map keeps the position of an existing key, so the key is deleted first to become the newest.
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#sizeMax) this.delete(this.keys().next().value as K);
    return this;
  }
}
