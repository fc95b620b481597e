/** A dependency cannot be reached at the moment. It recovers automatically, so the caller should retry later. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}
