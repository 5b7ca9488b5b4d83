// Messages between the bench and its loaders. Times are from the machine's monotonic clock, which
// all processes share, in milliseconds.

export type LoaderOrder =
  | {
      readonly kind: 'open';
      readonly port: number;
      readonly path: string;
      readonly count: number;
      /** Messages that each socket sends when it is open, as JSON. */
      readonly message: string;
      /** A slow one reads a little every second; a stopped one reads nothing after its greeting. */
      readonly reading: 'quick' | 'slow' | 'stopped';
    }
  /** Begins to count. Each message has this many bytes on the wire. */
  | { readonly kind: 'count'; readonly messageBytes: number }
  /** Begins to record when each quick socket got which book; `finish` returns the records. */
  | { readonly kind: 'note' }
  | { readonly kind: 'finish' }
  | { readonly kind: 'close' };

export type LoaderSaying =
  | { readonly kind: 'opened' }
  /** Later arrivals count. */
  | { readonly kind: 'counting' }
  /** This many messages have reached every socket, on average. */
  | { readonly kind: 'counted'; readonly messages: number }
  /** Triples: socket, the best bid's size as written, time. */
  | { readonly kind: 'notes'; readonly notes: readonly number[]; readonly closed: number }
  | { readonly kind: 'closed' };

export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
