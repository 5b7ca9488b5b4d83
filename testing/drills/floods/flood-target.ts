// Contract of a flood: an attacker without an account, who continues until the signal.

export interface FloodTarget {
  /** REST interface without `/v2`, for example `http://127.0.0.1:3000`. */
  readonly restUrl: string;
  /** Stream with its path, for example `ws://127.0.0.1:4000/stream`. */
  readonly streamUrl: string;
}

/** Resolves soon after the signal, with counts of sent and rejected messages. */
export type Flood = (target: FloodTarget, stop: AbortSignal) => Promise<Record<string, number>>;
