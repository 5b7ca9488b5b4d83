// The required settings of the streams that hold money, and their comparison with the actual ones.
// A pure table: each line prevents one way in which a log can lose acknowledged data.

/** One setting that differs from what is required. */
export interface StreamFinding {
  /** The stream or the server. */
  readonly at: string;
  readonly setting: string;
  readonly expected: string;
  readonly found: string;
  /**
   * A warning, not a reason to reject: a server that is offline could not be checked, or the
   * setting is unwise and has lost nothing so far.
   */
  readonly isWarning?: true;
}

export type RequiredStream = {
  readonly name: string;
  readonly subject: string;
  readonly replicas: number;
  /** The sequence of the first message, for a stream that continues another one. */
  readonly firstSequence?: number;
};

/** In the server's own form; settings that it omits are not set. */
export type FoundConfig = Readonly<Record<string, unknown>>;

// The server deduplicates by a message id, which we do not send.
const DUPLICATE_WINDOW_NS = 100_000_000;

/** The configuration to create a stream with. */
export function streamConfig(required: RequiredStream): object {
  const { firstSequence, name, replicas, subject } = required;
  return {
    ...(firstSequence === undefined ? {} : { first_seq: firstSequence }),
    name,
    subjects: [subject],
    num_replicas: replicas,
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    deny_delete: true,
    // The archivist trims what is archived. A stream that denies it can never allow it again.
    deny_purge: false,
    // After kills, NATS 2.15 could not read compressed blocks again, on two servers of three.
    compression: 'none',
    duplicate_window: DUPLICATE_WINDOW_NS,
  };
}

const EXCHANGE_KEY = 'rialto.exchange';

/** The configuration of the stream that names the exchange. It never has a message. */
export function nameConfig(required: RequiredStream, exchangeId: string): object {
  return { ...streamConfig(required), deny_purge: true, metadata: { [EXCHANGE_KEY]: exchangeId } };
}

export function namedExchange({ metadata }: FoundConfig): string | undefined {
  return (metadata as Readonly<Record<string, string>> | undefined)?.[EXCHANGE_KEY];
}

/** A bucket of the object store is a stream with these subjects. */
export function bucketConfig({ name, replicas }: Omit<RequiredStream, 'subject'>): object {
  return {
    name: bucketStream(name),
    subjects: [`$O.${name}.C.>`, `$O.${name}.M.>`],
    num_replicas: replicas,
    storage: 'file',
    discard: 'new',
    allow_rollup_hdrs: true,
    allow_direct: true,
  };
}

export function bucketStream(name: string): string {
  return `OBJ_${name}`;
}

type Check = { readonly expected: string; readonly isMet: (found: unknown) => boolean };

export function checkStream(expected: RequiredStream, found: FoundConfig): StreamFinding[] {
  const unsafe = compare(expected.name, found, {
    ...safeStorage(expected.replicas),
    subjects: {
      expected: `only ${expected.subject}`,
      isMet: (value) => Array.isArray(value) && value.length === 1 && value[0] === expected.subject,
    },
    retention: exactly('limits'),
    // At a limit the server then rejects new messages instead of discarding old ones.
    discard: exactly('new'),
    // These two discard old messages nonetheless.
    max_age: exactly(0),
    max_msgs_per_subject: exactly(-1),
    max_msg_size: exactly(-1),
    deny_delete: exactly(true),
    duplicate_window: {
      expected: `at most ${DUPLICATE_WINDOW_NS}`,
      isMet: (value) => Number(value ?? 0) <= DUPLICATE_WINDOW_NS,
    },
    // Each of these suppresses acknowledgments or stores something else than was sent.
    no_ack: absent,
    allow_rollup_hdrs: absent,
    allow_msg_ttl: absent,
    allow_msg_counter: absent,
    allow_msg_schedules: absent,
    subject_transform: absent,
    republish: absent,
    mirror: absent,
    sources: absent,
    sealed: absent,
  });
  const unwise = compare(expected.name, found, {
    deny_purge: { expected: `false, so it can be trimmed; ${MOVE}`, isMet: (value) => !value },
    compression: {
      expected: `"none"; ${MOVE}`,
      isMet: (value) => value === undefined || value === 'none',
    },
  });
  return [...unsafe, ...unwise.map((finding) => ({ ...finding, isWarning: true as const }))];
}

/** The server does not allow a purge of an existing stream that denied it. */
const MOVE = 'see docs/operating/retention.md';

/** Snapshots can be recomputed, but not in the hour in which they are needed. */
export function checkBucket(
  expected: Omit<RequiredStream, 'subject'>,
  found: FoundConfig,
): StreamFinding[] {
  return checkStorage({ ...expected, name: bucketStream(expected.name) }, found);
}

/** Checks the stream that names the exchange, which cannot lose messages that it does not have. */
export function checkStorage(
  { name, replicas }: Omit<RequiredStream, 'subject'>,
  found: FoundConfig,
): StreamFinding[] {
  return compare(name, found, safeStorage(replicas));
}

function safeStorage(replicas: number): Record<string, Check> {
  return {
    storage: exactly('file'),
    num_replicas: {
      expected: `at least ${replicas}`,
      isMet: (value) => Number(value) >= replicas,
    },
    // The other mode acknowledges before anything is on disk, whatever the server's settings.
    persist_mode: {
      expected: '"default"',
      isMet: (value) => value === undefined || value === '' || value === 'default',
    },
  };
}

function compare(at: string, found: FoundConfig, checks: Record<string, Check>): StreamFinding[] {
  return Object.entries(checks)
    .filter(([setting, { isMet }]) => !isMet(found[setting]))
    .map(([setting, { expected }]) => ({ at, setting, expected, found: shown(found[setting]) }));
}

function exactly(value: string | number | boolean): Check {
  return { expected: JSON.stringify(value), isMet: (found) => found === value };
}

const absent: Check = {
  expected: 'nothing',
  isMet: (value) => !value || (Array.isArray(value) && value.length === 0),
};

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
