// Messages between services, sent once and perhaps lost: batches, results, heartbeats. Whoever
// needs certainty asks again. NATS implements it, and the simulator does.

export interface Subscription {
  stop(): void;
}

export interface Bus {
  /** The bytes are copied or sent before this returns: the caller may use them again. */
  publish(subject: string, message: Uint8Array): void;
  /** The bytes belong to the bus: copy what is kept. A trailing `.>` takes all below. */
  subscribe(subject: string, receive: (message: Uint8Array, subject: string) => void): Subscription;
}
