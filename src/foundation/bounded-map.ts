/** A map with at most `sizeMax` entries. A set above that evicts the entry whose last set is the longest ago. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    super();
    this.#sizeMax = sizeMax;
  }

  override set(key: K, value: V): this {
    // A map keeps the position of a key that it has, so only a deleted key becomes the newest.
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#sizeMax) this.delete(this.keys().next().value as K);
    return this;
  }
}
