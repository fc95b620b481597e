import { Counter } from 'prom-client';

/** One for every connection that was turned away, by the reason; the reasons of a CONNACK are the names of its table. */
export const refusedCounter = new Counter({
  name: 'carillon_gateway_refused_total',
  help: 'Connections that were turned away.',
  labelNames: ['why'],
});
