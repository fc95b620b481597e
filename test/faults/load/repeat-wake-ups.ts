import { connect } from '@nats-io/transport-node';

/** Payload of repeated signals, so that they are not repeated again. Signals from the service have no payload. */
const REPEAT_PAYLOAD = 'again';
const REPEATS = 9;

interface WakeUpRepeater extends AsyncDisposable {
  /** Number of signals from the service. */
  readonly received: number;
  /** Number of repeated signals. */
  readonly sent: number;
}

/** Repeats every wake-up signal nine times, until it is disposed. */
export async function repeatWakeUps(
  natsUrls: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<WakeUpRepeater> {
  const connection = await connect({ servers: [...natsUrls] });
  let [received, sent] = [0, 0];
  connection.subscribe(`${settings.CARILLON_NATS_PREFIX}.wake-up.*`, {
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
