// What a request meets when nobody can say who sent it: the database is away, and it was not known.

/** The request may be sent again later. */
export class AccessFault extends Error {
  override readonly name = 'AccessFault';
}
