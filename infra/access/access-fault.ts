// The sender of a request cannot be identified: its key is not cached and the database is down.

/** The client can retry the request. */
export class AccessFault extends Error {
  override readonly name = 'AccessFault';
}
