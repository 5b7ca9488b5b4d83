// The bus: messages between services that are sent once and may be lost (batches, results,
// heartbeats). A sender that needs certainty asks again. NATS and the simulator implement it.

export interface Subscription {
  stop(): void;
}

export interface Bus {
  /** The bytes are copied or sent before this returns, so the caller can reuse them. */
  publish(subject: string, message: Uint8Array): void;
  /** The bytes belong to the bus: copy what is kept. A trailing `.>` matches everything below. */
  subscribe(subject: string, receive: (message: Uint8Array, subject: string) => void): Subscription;
}
