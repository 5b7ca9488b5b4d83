// Health of the exchange as operators see it: open alarms first, then the facts behind them. Ages
// and times ahead are in milliseconds.

import { type Static, Type } from 'typebox';
import { oneOf, StringOrNull, Timestamp, TimestampOrNull } from '../../../protocol/wire/index.ts';

const AgeOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const VersionOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

export const HealthAlarm = Type.Object(
  {
    name: Type.String(),
    object: Type.String({ description: 'A process, a coin, a path; empty: the exchange.' }),
    severity: oneOf(['page', 'ticket'], 'page wakes somebody; ticket can wait for the morning.'),
    detail: Type.String({ description: 'One sentence with figures.' }),
    opened_at: Timestamp,
    age_ms: Type.Integer(),
    runbook: Type.String({ description: 'The page under docs/operating/runbooks.' }),
  },
  { title: 'HealthAlarm' },
);

const HealthProcess = Type.Object(
  {
    service: Type.String(),
    instance: Type.String(),
    state: oneOf(
      ['running', 'down', 'stopped'],
      'down: silent without a goodbye. stopped: in order.',
    ),
    ready: Type.Boolean(),
    checks: Type.Unsafe<Readonly<Record<string, boolean | string>>>({
      type: 'object',
      additionalProperties: { type: ['boolean', 'string'] },
      description: 'true passes; false or a reason fails.',
    }),
    host: Type.String(),
    pid: Type.Integer(),
    version: Type.String(),
    commit: Type.String(),
    started_at: Timestamp,
    heard_at: Timestamp,
    heard_age_ms: Type.Integer(),
    figures: Type.Unsafe<Readonly<Record<string, number>>>({
      type: 'object',
      additionalProperties: { type: 'number' },
      description: 'Figures of the service, with the unit last.',
    }),
    switches_version: VersionOrNull,
  },
  { title: 'HealthProcess' },
);

const HealthLeader = Type.Object(
  {
    instance: Type.String(),
    epoch: Type.Integer(),
    frame: Type.Integer({ description: 'The last frame that the log acknowledged.' }),
    unacknowledged_ms: Type.Integer({ description: 'Of the oldest append; 0 if none waits.' }),
    acknowledged_ms: Type.Integer({ description: 'Since the last acknowledgement.' }),
  },
  { title: 'HealthLeader' },
);

const HealthStream = Type.Object(
  {
    name: Type.String(),
    last: Type.Integer({ description: 'The last message.' }),
    missing: Type.Integer({ description: 'Messages missing in between.' }),
    has_leader: Type.Boolean(),
    replicas: Type.Array(
      Type.Object({ name: Type.String(), current: Type.Boolean() }, { title: 'HealthReplica' }),
    ),
  },
  { title: 'HealthStream' },
);

const HealthFollower = Type.Object(
  {
    service: Type.String(),
    instance: Type.String(),
    frame: Type.Integer(),
    lag_frames: Type.Integer(),
    behind_ms: Type.Integer({ description: 'Age of the oldest frame that it lacks.' }),
  },
  { title: 'HealthFollower' },
);

const HealthQueue = Type.Object(
  {
    name: Type.String(),
    waiting: Type.Integer({ description: 'Counted up to 10,000.' }),
    oldest_ms: Type.Integer({ description: '0 if none waits.' }),
  },
  { title: 'HealthQueue' },
);

const HealthCertificate = Type.Object(
  {
    place: Type.String({ description: 'A file or host:port.' }),
    ends_at: TimestampOrNull,
    left_ms: AgeOrNull,
    fault: StringOrNull,
  },
  { title: 'HealthCertificate' },
);

const HealthDisk = Type.Object(
  {
    host: Type.String(),
    path: Type.String(),
    free_bytes: Type.Integer(),
    total_bytes: Type.Integer(),
  },
  { title: 'HealthDisk' },
);

/** Everything that the monitor publishes. */
const report = {
  status: oneOf(['well', 'ticket', 'page'], 'The highest severity of the open alarms.'),
  alarms: Type.Array(HealthAlarm),
  made_at: TimestampOrNull,
  monitor: StringOrNull,
  bus_up: Type.Boolean(),
  database_up: Type.Boolean(),
  tables_read_at: TimestampOrNull,
  leaders: Type.Array(HealthLeader, { description: 'Exactly one in a healthy exchange.' }),
  followers: Type.Array(HealthFollower),
  streams: Type.Array(HealthStream),
  processes: Type.Array(HealthProcess),
  queues: Type.Array(HealthQueue),
  ages: Type.Object(
    {
      snapshot_ms: AgeOrNull,
      archive_ms: AgeOrNull,
      backup_ms: AgeOrNull,
      restore_drill_ms: AgeOrNull,
      reconciliation_ms: AgeOrNull,
    },
    {
      title: 'HealthAges',
      description:
        'Snapshot and archive: the oldest frame that they lack. Null: there has been none.',
    },
  ),
  ledger: Type.Array(
    Type.Object(
      {
        currency: Type.String(),
        sum_atoms: Type.String({ description: 'Of all accounts; anything but 0 is an error.' }),
      },
      { title: 'HealthLedger' },
    ),
  ),
  differences: Type.Array(
    Type.Object({ check: Type.String(), count: Type.Integer() }, { title: 'HealthDifferences' }),
  ),
  frozen_markets: Type.Array(Type.String()),
  certificates: Type.Array(HealthCertificate),
  disks: Type.Array(HealthDisk),
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
      description: 'Since the monitor made it; null: this gateway has never heard the monitor.',
    }),
  },
  { title: 'ExchangeHealth' },
);
export type ExchangeHealth = Static<typeof ExchangeHealth>;

export const Backup = Type.Object(
  {
    kind: oneOf(['database', 'log']),
    ended_at: Timestamp,
    verified: Type.Boolean(),
    bytes: Type.Integer(),
    place: Type.String(),
  },
  { title: 'Backup' },
);
