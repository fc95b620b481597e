export type EndpointCounts = {
  connections: { opened: number; open: number };
  /**
   * Number of requests by response (`200`, `410 Unregistered`, …), or by the kind of failure if there was no response.
   */
  requests: Record<string, number>;
};

/**
 * Counts since the simulator started. They are never reset, so tests compare the values before and after an action. The
 * connection counts show whether connections are reused. An endpoint is one of the vendor's servers.
 */
export class Counts<Endpoint extends string> {
  readonly #byEndpoint: Record<Endpoint, EndpointCounts>;

  constructor(endpoints: readonly Endpoint[]) {
    const zeroes = (): EndpointCounts => ({ connections: { opened: 0, open: 0 }, requests: {} });
    this.#byEndpoint = Object.fromEntries(endpoints.map((endpoint) => [endpoint, zeroes()])) as Record<
      Endpoint,
      EndpointCounts
    >;
  }

  countOpened(endpoint: Endpoint): void {
    const { connections } = this.#byEndpoint[endpoint];
    connections.opened += 1;
    connections.open += 1;
  }

  countClosed(endpoint: Endpoint): void {
    this.#byEndpoint[endpoint].connections.open -= 1;
  }

  countRequest(endpoint: Endpoint, label: string): void {
    const { requests } = this.#byEndpoint[endpoint];
    requests[label] = (requests[label] ?? 0) + 1;
  }

  snapshot(): Record<Endpoint, EndpointCounts> {
    return structuredClone(this.#byEndpoint);
  }
}
