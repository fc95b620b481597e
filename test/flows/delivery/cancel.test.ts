import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { placeStatus } from '#src/domain/slice.ts';
import { readApnsTally } from '../../support/apns-tally.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { insertFleet } from '../../support/fleet.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

const DEVICES = 5_000;
/** Each worker processes one group of slices per lane at a time, so that the task can be cancelled halfway. */
const SETTINGS = { CARILLON_WORKER_SLOTS: '2' };

interface Place {
  readonly number: number;
  readonly status: number;
  readonly sent: boolean;
}

describe('cancelling a task to all devices halfway', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 2, settings: SETTINGS });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Returns every APNs place of a task, with the number from the token of its device. */
  async function placesOf(taskId: bigint): Promise<Place[]> {
    const rows = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<Place>(
          `select (d.device_id / 4096)::int as number, get_byte(s.status, d.place::int - 1) as status,
                  get_bit(s.sent, d.place::int - 1) = 1 as sent
             from slices s join slice_targets t using (task_id, bucket, slice),
                  unnest(t.device_ids) with ordinality as d (device_id, place)
            where s.task_id = $1 and s.channel = 'apns'`,
          [taskId],
        ),
      ),
    );
    return rows.flat();
  }

  const numbersAtApple = async (taskId: bigint) =>
    new Set(
      [...((await readApnsTally(carillon)).get(taskId)?.keys() ?? [])].map((token) => Number(/\d+$/.exec(token)?.[0])),
    );
  const withStatus = (places: readonly Place[], status: number) => places.filter((place) => place.status === status);

  test('starts no call after the response, counts sent notifications exactly, and finishes the task', async () => {
    await insertFleet(carillon.storage, carillon.appId, DEVICES);
    const taskId = await carillon.notify('all', { body: 'never mind' });
    await eventually(async () => {
      const places = await placesOf(taskId);
      const [attempting, sent] = [withStatus(places, placeStatus.attempting), withStatus(places, placeStatus.sent)];
      const summary = `${attempting.length} of ${places.length} places are attempting, ${sent.length} are sent`;
      assert.ok(attempting.length > 0 && sent.length > DEVICES / 5, summary);
      assert.ok(attempting.length + sent.length < (3 * DEVICES) / 4, `${summary}: too many for a cancellation halfway`);
    }, 30);

    const { data } = await carillon.post<{ finished: boolean; sent: number }>('/push/task/cancel', { task_id: taskId });
    // Read the places before the list from APNs: a call that has ended by the first read is then included in the
    // second.
    const underWay = new Set(withStatus(await placesOf(taskId), placeStatus.attempting).map(({ number }) => number));
    const arrived = await numbersAtApple(taskId);
    assert.equal(data.finished, false);
    await waitUntilFinished(carillon.storage, taskId, 40);

    const inTheEnd = await numbersAtApple(taskId);
    const begunLater = [...inTheEnd].filter((number) => !arrived.has(number) && !underWay.has(number));
    assert.equal(begunLater.length, 0, `${begunLater.length} calls started after the cancel response`);
    assert.ok(
      inTheEnd.size < (9 * DEVICES) / 10,
      `${inTheEnd.size} of ${DEVICES} notifications were sent despite the cancellation`,
    );

    const places = await placesOf(taskId);
    assert.deepEqual(
      places
        .filter(({ sent }) => sent)
        .map(({ number }) => number)
        .sort((a, b) => a - b),
      [...inTheEnd].sort((a, b) => a - b),
    );
    assert.deepEqual(await carillon.counters(taskId), { apns: [places.length, inTheEnd.size, 0] });
    assert.ok(
      data.sent <= inTheEnd.size,
      `the cancel response reported ${data.sent} notifications as sent, but only ${inTheEnd.size} were sent`,
    );
    const [sent, cancelled, dead] = [placeStatus.sent, placeStatus.cancelled, placeStatus.dead].map(
      (status) => withStatus(places, status).length,
    ) as [number, number, number];
    assert.equal(sent + cancelled + dead, places.length);
    assert.ok(cancelled > 0, 'some places were cancelled');
    await checkLaws(carillon.storage);
  });
});
