import assert from 'node:assert/strict';
import type { Carillon } from './carillon.ts';

/**
 * Returns, for each task, how often the APNs simulator accepted a notification for each token. The collapse id is the
 * task id.
 */
export async function readApnsTally({ apns }: Carillon): Promise<Map<bigint, ReadonlyMap<string, number>>> {
  const response = await fetch(`${apns.facts.control_url}/tally`);
  const { whole, tally } = (await response.json()) as { whole: boolean; tally: Record<string, Record<string, number>> };
  assert.ok(whole, 'the simulator has counted everything');
  return new Map(Object.entries(tally).map(([taskId, tokens]) => [BigInt(taskId), new Map(Object.entries(tokens))]));
}

/** Returns, for each task, when the APNs simulator first and last accepted a notification, in epoch milliseconds. */
export async function readApnsTimes({ apns }: Carillon): Promise<Map<bigint, readonly [number, number]>> {
  const response = await fetch(`${apns.facts.control_url}/tally/times`);
  const times = (await response.json()) as Record<string, readonly [number, number]>;
  return new Map(Object.entries(times).map(([taskId, firstAndLast]) => [BigInt(taskId), firstAndLast]));
}
