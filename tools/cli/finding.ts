// A finding of `rialto doctor`.

export interface Finding {
  readonly check: string;
  readonly state: 'good' | 'warning' | 'bad';
  /** One sentence; for a problem, with its fix. */
  readonly detail: string;
  /** More sentences, each on a separate line. */
  readonly more?: readonly string[];
}
