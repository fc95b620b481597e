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
/** Each worker processes one group of slices per lane at a time, so that the task can be cancelled half way. */
const SETTINGS = { CARILLON_WORKER_SLOTS: '2' };

interface Place {
  readonly number: number;
  readonly status: number;
  readonly sent: boolean;
}

describe('cancelling a task to all devices half way', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 2, settings: SETTINGS });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Returns every place of a task on Apple's channel, with the number from its device's token. */
  async function placesOf(taskId: bigint): Promise<Place[]> {
    const rows = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<Place>(
          `select (d.device_id / 64)::int as number, get_byte(s.status, d.place::int - 1) as status,
                  get_bit(s.sent, d.place::int - 1) = 1 as sent
             from slices s join slice_targets t using (task_id, shard, slice),
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

  test('sends nothing new after the response, counts sent notifications exactly, and finishes the task', async () => {
    await insertFleet(carillon.storage, carillon.appId, DEVICES);
    const taskId = await carillon.notify('all', { body: 'never mind' });
    await eventually(async () => {
      const places = await placesOf(taskId);
      const [attempting, sent] = [withStatus(places, placeStatus.attempting), withStatus(places, placeStatus.sent)];
      const summary = `${attempting.length} of ${places.length} are attempting, ${sent.length} are sent`;
      assert.ok(attempting.length > 0 && sent.length > DEVICES / 5, summary);
      assert.ok(attempting.length + sent.length < (3 * DEVICES) / 4, `${summary}: more than half way`);
    }, 30);

    const { data } = await carillon.post<{ finished: boolean; sent: number }>('/push/task/cancel', { task_id: taskId });
    // Read the places before Apple's list: a call that has ended in the first read is then included in the second.
    const underWay = new Set(withStatus(await placesOf(taskId), placeStatus.attempting).map(({ number }) => number));
    const arrived = await numbersAtApple(taskId);
    assert.equal(data.finished, false);
    await waitUntilFinished(carillon.storage, taskId, 40);

    const inTheEnd = await numbersAtApple(taskId);
    const begunLater = [...inTheEnd].filter((number) => !arrived.has(number) && !underWay.has(number));
    assert.equal(begunLater.length, 0, `${begunLater.length} calls started after the cancel response`);
    assert.ok(inTheEnd.size < (9 * DEVICES) / 10, `${inTheEnd.size} of ${DEVICES} were sent in spite of the cancel`);

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
      `the cancel response reported ${data.sent} as sent, but only ${inTheEnd.size} were sent`,
    );
    const [sent, cancelled, dead] = [placeStatus.sent, placeStatus.cancelled, placeStatus.dead].map(
      (status) => withStatus(places, status).length,
    ) as [number, number, number];
    assert.equal(sent + cancelled + dead, places.length);
    assert.ok(cancelled > 0, 'some places were cancelled');
    await checkLaws(carillon.storage);
  });
});
