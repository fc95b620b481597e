export type DoorCounts = {
  connections: { opened: number; open: number };
  /** By answer (`200`, `410 Unregistered`, …), or by the way none was given. */
  requests: Record<string, number>;
};

/**
 * Counts since the start, never reset: a test compares before and after. Connections prove that they are reused. A door
 * is one of the vendor's servers.
 */
export class Counts<Door extends string> {
  readonly #byDoor: Record<Door, DoorCounts>;

  constructor(doors: readonly Door[]) {
    const zeroes = (): DoorCounts => ({ connections: { opened: 0, open: 0 }, requests: {} });
    this.#byDoor = Object.fromEntries(doors.map((door) => [door, zeroes()])) as Record<Door, DoorCounts>;
  }

  opened(door: Door): void {
    const { connections } = this.#byDoor[door];
    connections.opened += 1;
    connections.open += 1;
  }

  closed(door: Door): void {
    this.#byDoor[door].connections.open -= 1;
  }

  ended(door: Door, label: string): void {
    const { requests } = this.#byDoor[door];
    requests[label] = (requests[label] ?? 0) + 1;
  }

  snapshot(): Record<Door, DoorCounts> {
    return structuredClone(this.#byDoor);
  }
}
