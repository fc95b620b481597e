import { constants, type ServerHttp2Stream } from 'node:http2';

/**
 * A request body. `content` is truncated to the length that the checks need. `bytes` counts the received bytes, and
 * `isComplete` is false if reading stopped before the end.
 */
export type Body = { readonly content: Buffer; readonly bytes: number; readonly isComplete: boolean };

const STORED_BYTES_MAX = 5120; // the largest payload that Apple accepts (VoIP)
const READ_BYTES_MAX = 65_536; // bytes that a sender may have in flight before it receives 413
const IDLE_MS_MAX = 30_000; // maximum time between two chunks of a body

/** Reads the body of a request. Returns undefined if the sender disconnected before the end. */
export function readBody(stream: ServerHttp2Stream): Promise<Body | undefined> {
  const { promise, resolve } = Promise.withResolvers<Body | undefined>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = (isComplete: boolean) => {
    stream.setTimeout(0);
    resolve({ content: Buffer.concat(chunks), bytes, isComplete });
  };
  stream.setTimeout(IDLE_MS_MAX, () => stream.close(constants.NGHTTP2_CANCEL));
  stream.on('data', (chunk: Buffer) => {
    if (bytes < STORED_BYTES_MAX) chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > READ_BYTES_MAX) {
      stream.pause();
      finish(false);
    }
  });
  // A stream that was reset also emits `end` after the chunks received so far. In that case, the body is incomplete.
  stream.once('end', () => (stream.aborted ? resolve(undefined) : finish(true)));
  stream.once('close', () => resolve(undefined));
  return promise;
}
