import { constants, type ServerHttp2Stream } from 'node:http2';

/** `content` is cut to what a check may need; `bytes` is how much came, and `isWhole` whether that was the end. */
export type Body = { readonly content: Buffer; readonly bytes: number; readonly isComplete: boolean };

const STORED_BYTES_MAX = 5120; // the largest payload Apple takes (VoIP)
const READ_BYTES_MAX = 65_536; // what a sender may have on its way before it hears 413
const IDLE_MS_MAX = 30_000; // between two pieces of a body

/** Nothing when the sender hung up before the end. */
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
  // A stream that was reset also says `end`, with what came so far. Such a push was never wholly sent.
  stream.once('end', () => (stream.aborted ? resolve(undefined) : finish(true)));
  stream.once('close', () => resolve(undefined));
  return promise;
}
