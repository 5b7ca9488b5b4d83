// The messages between the bench and its loaders. Times are of the machine's monotonic
// clock, which all processes share, in milliseconds.

export type LoaderOrder =
  | {
      readonly kind: 'open';
      readonly port: number;
      readonly path: string;
      readonly count: number;
      /** The messages that each socket sends when it is open, as JSON. */
      readonly message: string;
      /** A slow one reads a little every second; a stopped one reads nothing after its greeting. */
      readonly reading: 'quick' | 'slow' | 'stopped';
    }
  /** Begins to count. Each message has so many bytes on the wire. */
  | { readonly kind: 'count'; readonly messageBytes: number }
  /** Begins to note which book each quick socket got when; `finish` gives the notes. */
  | { readonly kind: 'note' }
  | { readonly kind: 'finish' }
  | { readonly kind: 'close' };

export type LoaderSaying =
  | { readonly kind: 'opened' }
  /** Later arrivals count. */
  | { readonly kind: 'counting' }
  /** So many messages have reached every socket, on the average. */
  | { readonly kind: 'counted'; readonly messages: number }
  /** Triples: the socket, the best bid's size as it was written, the time. */
  | { readonly kind: 'notes'; readonly notes: readonly number[]; readonly closed: number }
  | { readonly kind: 'closed' };

export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
