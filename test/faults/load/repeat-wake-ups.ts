import { connect } from '@nats-io/transport-node';

/** Told from the doorbells of the service, which say nothing, so that ours do not ring for ever. */
const OURS = 'again';
const TIMES_BESIDES = 9;

interface Doorbells extends AsyncDisposable {
  /** Doorbells of the service. */
  readonly heard: number;
  /** Ours. */
  readonly rung: number;
}

/** Hears every doorbell and rings it nine times more, until it is disposed of. */
export async function everyDoorbellTenTimes(
  natsUrls: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Doorbells> {
  const connection = await connect({ servers: [...natsUrls] });
  let [heard, rung] = [0, 0];
  connection.subscribe(`${settings.CARILLON_NATS_PREFIX}.doorbell.*`, {
    callback: (_error, message) => {
      if (message.string() === OURS) return;
      heard++;
      for (let i = 0; i < TIMES_BESIDES; i++) {
        connection.publish(message.subject, OURS);
        rung++;
      }
    },
  });
  await connection.flush();
  return {
    get heard() {
      return heard;
    },
    get rung() {
      return rung;
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
