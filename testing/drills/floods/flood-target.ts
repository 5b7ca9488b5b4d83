// The contract of a flood: an attacker without an account, who goes on until the signal.

export interface FloodTarget {
  /** The REST interface, without `/v2`: `http://127.0.0.1:3000`. */
  readonly restUrl: string;
  /** The stream, with its path: `ws://127.0.0.1:4000/stream`. */
  readonly streamUrl: string;
}

/** Resolves soon after the signal, with counts of what was sent and what was refused. */
export type Flood = (target: FloodTarget, stop: AbortSignal) => Promise<Record<string, number>>;
