import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';

type State = { openStreams: number; isGoingAway: boolean };

/**
 * Tracks the connections on which the server has sent GOAWAY. Earlier streams get a response. Later streams are refused
 * without being processed, so that a sender can retry them.
 */
export class GoawayTracker {
  readonly #states = new WeakMap<Http2Session, State>();

  /** Returns whether the stream should be served. */
  admit(stream: ServerHttp2Stream): boolean {
    const { session } = stream;
    if (stream.destroyed || session === undefined) return false;
    const state = this.#stateOf(session);
    state.openStreams += 1;
    stream.once('close', () => {
      state.openStreams -= 1;
      // When the last stream ends after GOAWAY, Node stops reading from the connection and would not notice that the
      // sender closes it.
      if (state.isGoingAway && state.openStreams === 0) session.close();
    });
    return !state.isGoingAway;
  }

  sendGoaway(stream: ServerHttp2Stream): void {
    const { session } = stream;
    if (session === undefined) return;
    this.#stateOf(session).isGoingAway = true;
    session.goaway(constants.NGHTTP2_NO_ERROR, Math.max(0, (stream.id ?? 0) - 2));
    // Node interprets 0 as "the newest stream", so on a new connection GOAWAY alone would not refuse the first stream.
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
  }

  #stateOf(session: Http2Session): State {
    const state = this.#states.get(session) ?? { openStreams: 0, isGoingAway: false };
    this.#states.set(session, state);
    return state;
  }
}
