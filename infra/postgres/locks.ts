// Numbers of all advisory locks of the database. A number must never change or be used twice:
// during an upgrade, old and new processes exclude each other by it.

export const LOCKS = {
  /** The active process of each kind, per schema; see SingletonLoop. */
  projector: 7_421_974,
  dispatcher: 7_421_975,
  changePublisher: 7_421_976,
  reconciler: 7_421_977,
  monitor: 7_421_978,
  chainWatcher: 7_421_979,
  /** Transactions: operator actions run one at a time. */
  acts: 7_315_001,
  /** Publications of liabilities are built one at a time. */
  liabilities: 7_315_002,
  /** Schemas of a database are migrated one at a time. */
  migrations: 7_421_973_001,
  grants: 7_421_973_002,
} as const;
