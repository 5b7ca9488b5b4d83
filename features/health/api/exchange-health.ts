// Health of the exchange for operators: open alarms first, then the facts behind them. Ages and
// times ahead are in milliseconds.

import type { Static } from 'typebox';
import {
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

const AgeOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const VersionOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

export const HealthAlarm = Type.Object(
  {
    name: Type.String(),
    object: Type.String({ description: 'A process, coin or path; empty for the entire exchange.' }),
    severity: oneOf(
      ['page', 'ticket'],
      '`page` needs immediate attention; `ticket` can wait until the morning.',
    ),
    detail: sample(
      Type.String({ description: 'One sentence with numbers.' }),
      'The projector is 5,000 frames behind.',
    ),
    opened_at: field(Timestamp, 'When the alarm opened.'),
    age_ms: Type.Integer(),
    runbook: sample(
      Type.String({ description: 'The runbook under docs/operating/runbooks.' }),
      'docs/operating/runbooks/projector.md',
    ),
  },
  { title: 'HealthAlarm' },
);

const HealthProcess = Type.Object(
  {
    service: Type.String(),
    instance: Type.String(),
    state: oneOf(
      ['running', 'down', 'stopped'],
      '`down`: stopped reporting without notice. `stopped`: shut down in order.',
    ),
    ready: field(Type.Boolean(), 'Whether the process is ready.'),
    checks: Type.Unsafe<Readonly<Record<string, boolean | string>>>({
      type: 'object',
      additionalProperties: { type: ['boolean', 'string'] },
      description: 'true passes; false or a reason fails.',
    }),
    host: Type.String(),
    pid: field(Type.Integer(), 'The process ID.', 4711),
    version: Type.String(),
    commit: field(Type.String(), 'The commit of the build.', '9d10c514'),
    started_at: Timestamp,
    heard_at: field(Timestamp, 'When the process last reported.'),
    heard_age_ms: field(Type.Integer(), 'Milliseconds since then.', 800),
    figures: Type.Unsafe<Readonly<Record<string, number>>>({
      type: 'object',
      additionalProperties: { type: 'number' },
      description: 'Metrics of the service, unit last.',
    }),
    switches_version: VersionOrNull,
  },
  { title: 'HealthProcess' },
);

const HealthLeader = Type.Object(
  {
    instance: Type.String(),
    epoch: field(Type.Integer(), 'The epoch of the leader.', 4),
    frame: Type.Integer({ description: 'The last frame that the log acknowledged.' }),
    unacknowledged_ms: sample(
      Type.Integer({ description: 'Age of the oldest pending append; 0 if none is pending.' }),
      0,
    ),
    acknowledged_ms: sample(
      Type.Integer({ description: 'Time since the last acknowledgment.' }),
      3,
    ),
  },
  { title: 'HealthLeader' },
);

const HealthStream = Type.Object(
  {
    name: Type.String(),
    last: Type.Integer({ description: 'The last message.' }),
    missing: sample(Type.Integer({ description: 'Messages missing in between.' }), 0),
    has_leader: field(Type.Boolean(), 'Whether the stream has a leader.'),
    replicas: field(
      Type.Array(
        Type.Object({ name: Type.String(), current: Type.Boolean() }, { title: 'HealthReplica' }),
      ),
      'The replicas of the stream.',
    ),
  },
  { title: 'HealthStream' },
);

const HealthFollower = Type.Object(
  {
    service: Type.String(),
    instance: Type.String(),
    frame: Type.Integer(),
    lag_frames: field(Type.Integer(), 'Frames behind the log.', 0),
    behind_ms: sample(Type.Integer({ description: 'Age of the oldest missing frame.' }), 0),
  },
  { title: 'HealthFollower' },
);

const HealthQueue = Type.Object(
  {
    name: Type.String(),
    waiting: Type.Integer({ description: 'Counted up to 10,000.' }),
    oldest_ms: sample(Type.Integer({ description: '0 if none is pending.' }), 0),
  },
  { title: 'HealthQueue' },
);

const HealthCertificate = Type.Object(
  {
    place: Type.String({ description: 'A file or host:port.' }),
    ends_at: field(TimestampOrNull, 'When the certificate expires; null if unknown.'),
    left_ms: field(AgeOrNull, 'Milliseconds until expiry.', 864000000),
    fault: StringOrNull,
  },
  { title: 'HealthCertificate' },
);

const HealthDisk = Type.Object(
  {
    host: Type.String(),
    path: Type.String(),
    free_bytes: field(Type.Integer(), 'Free bytes.', 80000000000),
    total_bytes: field(Type.Integer(), 'Total bytes.', 100000000000),
  },
  { title: 'HealthDisk' },
);

/** Everything that the monitor publishes. */
const report = {
  status: oneOf(['well', 'ticket', 'page'], 'The highest severity of the open alarms.'),
  alarms: field(Type.Array(HealthAlarm), 'Open alarms.'),
  made_at: field(TimestampOrNull, 'When the report was created; null if there is none.'),
  monitor: field(
    StringOrNull,
    'The process that created the report; null if there is none.',
    'reconciler-1',
  ),
  bus_up: field(Type.Boolean(), 'Whether NATS responds.'),
  database_up: field(Type.Boolean(), 'Whether PostgreSQL responds.'),
  tables_read_at: field(TimestampOrNull, 'When the tables were last read; null if never.'),
  leaders: Type.Array(HealthLeader, { description: 'Exactly one in a healthy exchange.' }),
  followers: field(Type.Array(HealthFollower), 'Processes that follow the log.'),
  streams: field(Type.Array(HealthStream), 'The streams of the log.'),
  processes: field(Type.Array(HealthProcess), 'All reporting processes.'),
  queues: field(Type.Array(HealthQueue), 'Work queues.'),
  ages: Type.Object(
    {
      snapshot_ms: field(AgeOrNull, 'Age of the last snapshot in milliseconds.', 60000),
      archive_ms: field(AgeOrNull, 'Age of the archive in milliseconds.', 2000),
      backup_ms: field(AgeOrNull, 'Age of the last backup in milliseconds.', 3600000),
      restore_drill_ms: field(AgeOrNull, 'Age of the last restore drill.', 86400000),
      reconciliation_ms: field(AgeOrNull, 'Age of the last reconciliation.', 10000),
    },
    {
      title: 'HealthAges',
      description:
        'For snapshot and archive: age of the oldest missing frame. Null if there has been none.',
    },
  ),
  ledger: field(
    Type.Array(
      Type.Object(
        {
          currency: Type.String(),
          sum_atoms: sample(
            Type.String({ description: 'Sum over all accounts; anything but 0 is an error.' }),
            '0',
          ),
        },
        { title: 'HealthLedger' },
      ),
    ),
    'Ledger sums, which must be zero.',
  ),
  differences: Type.Array(
    Type.Object({ check: Type.String(), count: Type.Integer() }, { title: 'HealthDifferences' }),
  ),
  frozen_markets: field(Type.Array(Type.String()), 'Markets frozen by a failed command.', [
    'btc-usdt',
  ]),
  certificates: field(Type.Array(HealthCertificate), 'Certificates and their expiry.'),
  disks: field(Type.Array(HealthDisk), 'Disks and their free space.'),
  switches_version: VersionOrNull,
};

export const HealthReport = Type.Object(report, { title: 'HealthReport' });
export type HealthReport = Static<typeof HealthReport>;

/** The report as a gateway serves it. */
export const ExchangeHealth = Type.Object(
  {
    ...report,
    age_ms: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: "Age of the monitor's report; null if this gateway has never received one.",
    }),
  },
  { title: 'ExchangeHealth' },
);
export type ExchangeHealth = Static<typeof ExchangeHealth>;

export const Backup = Type.Object(
  {
    kind: oneOf(['database', 'log']),
    ended_at: Timestamp,
    verified: field(Type.Boolean(), 'Whether the backup was restored and compared.'),
    bytes: Type.Integer(),
    place: Type.String(),
  },
  { title: 'Backup' },
);
