// The settings of the streams on which money depends, and the comparison of what was asked with
// what is there. A pure table: each line is a way in which a log can lose what it acknowledged.

/** One thing that is not as it has to be. */
export interface StreamFinding {
  /** The stream, or the server. */
  readonly at: string;
  readonly setting: string;
  readonly asked: string;
  readonly found: string;
  /** No reason to refuse: it only says that a server which is away now could not be checked. */
  readonly isPassing?: true;
}

export type AskedStream = {
  readonly name: string;
  readonly subject: string;
  readonly replicas: number;
};

/** As the server writes it; what it leaves out is not set. */
export type FoundConfig = Readonly<Record<string, unknown>>;

// The server looks for messages sent twice by an id that we do not send.
const DUPLICATE_WINDOW_NS = 100_000_000;

/** What to ask the server for. */
export function streamConfig({ name, subject, replicas }: AskedStream): object {
  return {
    name,
    subjects: [subject],
    num_replicas: replicas,
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    deny_delete: true,
    deny_purge: true,
    duplicate_window: DUPLICATE_WINDOW_NS,
  };
}

/** A bucket of the object store is a stream as well, with these subjects. */
export function bucketConfig({ name, replicas }: Omit<AskedStream, 'subject'>): object {
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

type Check = { readonly asked: string; readonly isMet: (found: unknown) => boolean };

export function checkStream(asked: AskedStream, found: FoundConfig): StreamFinding[] {
  return compare(asked.name, found, {
    ...safeStorage(asked.replicas),
    subjects: {
      asked: `only ${asked.subject}`,
      isMet: (value) => Array.isArray(value) && value.length === 1 && value[0] === asked.subject,
    },
    retention: exactly('limits'),
    // A limit then refuses what is new instead of forgetting what is old.
    discard: exactly('new'),
    // These two forget the old nonetheless.
    max_age: exactly(0),
    max_msgs_per_subject: exactly(-1),
    max_msg_size: exactly(-1),
    deny_delete: exactly(true),
    deny_purge: exactly(true),
    duplicate_window: {
      asked: `at most ${DUPLICATE_WINDOW_NS}`,
      isMet: (value) => Number(value ?? 0) <= DUPLICATE_WINDOW_NS,
    },
    // An acknowledgement that never comes, or comes for something else than was sent.
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
}

/** Snapshots can be made again, but not in the hour in which one is needed. */
export function checkBucket(
  asked: Omit<AskedStream, 'subject'>,
  found: FoundConfig,
): StreamFinding[] {
  return compare(bucketStream(asked.name), found, safeStorage(asked.replicas));
}

function safeStorage(replicas: number): Record<string, Check> {
  return {
    storage: exactly('file'),
    num_replicas: {
      asked: `at least ${replicas}`,
      isMet: (value) => Number(value) >= replicas,
    },
    // The other mode acknowledges before anything is on disk, whatever the server's settings say.
    persist_mode: {
      asked: '"default"',
      isMet: (value) => value === undefined || value === '' || value === 'default',
    },
  };
}

function compare(at: string, found: FoundConfig, checks: Record<string, Check>): StreamFinding[] {
  return Object.entries(checks)
    .filter(([setting, { isMet }]) => !isMet(found[setting]))
    .map(([setting, { asked }]) => ({ at, setting, asked, found: shown(found[setting]) }));
}

function exactly(value: string | number | boolean): Check {
  return { asked: JSON.stringify(value), isMet: (found) => found === value };
}

const absent: Check = {
  asked: 'nothing',
  isMet: (value) => !value || (Array.isArray(value) && value.length === 0),
};

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
