import { connect } from '@nats-io/transport-node';

/** Told from the doorbells of the service, which say nothing, so that ours do not ring for ever. */
const REPEAT_PAYLOAD = 'again';
const REPEATS = 9;

interface WakeUpRepeater extends AsyncDisposable {
  /** Doorbells of the service. */
  readonly received: number;
  /** Ours. */
  readonly sent: number;
}

/** Hears every doorbell and rings it nine times more, until it is disposed of. */
export async function repeatWakeUps(
  natsUrls: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<WakeUpRepeater> {
  const connection = await connect({ servers: [...natsUrls] });
  let [received, sent] = [0, 0];
  connection.subscribe(`${settings.CARILLON_NATS_PREFIX}.doorbell.*`, {
    callback: (_error, message) => {
      if (message.string() === REPEAT_PAYLOAD) return;
      received++;
      for (let i = 0; i < REPEATS; i++) {
        connection.publish(message.subject, REPEAT_PAYLOAD);
        sent++;
      }
    },
  });
  await connection.flush();
  return {
    get received() {
      return received;
    },
    get sent() {
      return sent;
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
