// Messages between the bench and a load generator.

export interface LoadPlan {
  readonly kind: 'order' | 'book';
  readonly port: number;
  readonly connections: number;
  /** Requests sent per second by all connections; by default, each sends as many as it can. */
  readonly requestsPerSecond?: number;
  readonly warmUpMs: number;
  readonly forMs: number;
  readonly symbol: string;
  readonly price: string;
  readonly size: string;
  /** Buyers at even indexes, sellers at odd ones. */
  readonly keys: readonly { readonly key: string; readonly secret: string }[];
  /** Prefix of client order IDs, different for each run. */
  readonly run: string;
}

export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  readonly clientCpuUs: number;
  /** Including those of the warm-up. */
  readonly requests: number;
}
