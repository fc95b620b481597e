/** Something we depend on cannot be reached right now. It heals by itself: try again later, and say so to a caller. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}
