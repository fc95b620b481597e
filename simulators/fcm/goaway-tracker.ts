import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';

type State = { openStreams: number; isGoingAway: boolean };

/** Connections that say goodbye: earlier streams are answered, and later ones refused unread, so they may be sent again. */
export class GoawayTracker {
  readonly #states = new WeakMap<Http2Session, State>();

  /** Whether this stream is to be served. */
  admit(stream: ServerHttp2Stream): boolean {
    const { session } = stream;
    if (stream.destroyed || session === undefined) return false;
    const state = this.#stateOf(session);
    state.openStreams += 1;
    stream.once('close', () => {
      state.openStreams -= 1;
      // Node stops listening to a connection after GOAWAY and its last stream, so it would never see the sender leave.
      if (state.isGoingAway && state.openStreams === 0) session.close();
    });
    return !state.isGoingAway;
  }

  sendGoaway(stream: ServerHttp2Stream): void {
    const { session } = stream;
    if (session === undefined) return;
    this.#stateOf(session).isGoingAway = true;
    session.goaway(constants.NGHTTP2_NO_ERROR, Math.max(0, (stream.id ?? 0) - 2));
    // Node takes 0 for "the newest", so on a fresh connection GOAWAY alone would not refuse the first stream.
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
  }

  #stateOf(session: Http2Session): State {
    const state = this.#states.get(session) ?? { openStreams: 0, isGoingAway: false };
    this.#states.set(session, state);
    return state;
  }
}
