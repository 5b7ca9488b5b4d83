// The way out for a bug met inside a callback of the NATS client. Thrown there, it would only end
// the client's reading: the connection would stay open, and silent, and nobody would know.

import { systemClock } from '../process/index.ts';

/** Throws the error where nobody catches it, so that the process ends. */
export function raiseBug(bug: unknown): void {
  systemClock.soon(() => {
    throw bug;
  });
}
