// Interface of a workload: fixed, seeded work on one part of the exchange, without servers. The
// same file runs on both trees, so it imports the measured code by relative paths.

export interface Workload {
  /** Windows until the recorded work ends; then `restart` begins again. */
  readonly windows: number;
  /** Returns to the state before window 0. Not measured. */
  restart(): void | Promise<void>;
  /** Does the work of one window, about 10 ms, and returns its number of units. */
  run(window: number): number | Promise<number>;
}

export interface WorkloadModule {
  open(): Workload | Promise<Workload>;
}

/** Where workloads are, in every tree; each is `NAME.bench.ts`. */
export const WORKLOAD_FOLDER = 'tools/bench/regress/workloads';
