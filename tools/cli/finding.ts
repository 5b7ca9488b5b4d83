// A finding of `rialto doctor`.

export interface Finding {
  readonly check: string;
  readonly state: 'good' | 'warning' | 'bad';
  /** One sentence; for a finding that is not good, with what to do. */
  readonly detail: string;
  /** More sentences, each on a separate line. */
  readonly more?: readonly string[];
}
