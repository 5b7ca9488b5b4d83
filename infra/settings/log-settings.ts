// The settings of the services that write, keep and follow the log.

import { integer, list, optional, text } from '../process/index.ts';
import { fixedPort, PEM_FILE } from './kinds.ts';
import { setting } from './setting.ts';

const DAY_MS = 86_400_000;
const MS = { unit: 'milliseconds' } as const;

function duration(name: string, fallback: number) {
  return integer(name, { min: 100, max: 365 * DAY_MS, fallback });
}

const sequencerSettings = {
  linkListenHost: setting(text('RIALTO_LINK_LISTEN_HOST', { fallback: '127.0.0.1' }), {
    usedBy: ['sequencer'],
    meaning: "The address on which the sequencer's direct link listens.",
    example: '10.0.0.1',
  }),
  linkPort: setting(fixedPort('RIALTO_LINK_PORT'), {
    usedBy: ['sequencer'],
    meaning: 'The port of the direct link, through which gateways reach the leader without NATS.',
    example: '7400',
  }),
  linkHost: setting(optional(text('RIALTO_LINK_HOST')), {
    usedBy: ['sequencer'],
    meaning:
      'The name or address at which other machines reach the direct link. Without it, the ' +
      'leader announces the address on which it listens.',
    example: 'm1.example.com',
  }),
  linkCertificateFile: setting(optional(text('RIALTO_LINK_CERTIFICATE_FILE', PEM_FILE)), {
    usedBy: ['sequencer'],
    meaning: 'The certificate of the direct link; production requires it beyond this machine.',
    example: '/etc/rialto/tls/link.pem',
  }),
  linkKeyFile: setting(optional(text('RIALTO_LINK_KEY_FILE', PEM_FILE)), {
    usedBy: ['sequencer'],
    meaning: 'The key of RIALTO_LINK_CERTIFICATE_FILE; set both or neither.',
    example: '/etc/rialto/tls/link.key',
  }),
  heartbeatMs: setting(integer('RIALTO_HEARTBEAT_MS', { min: 10, max: 10_000, fallback: 100 }), {
    ...MS,
    usedBy: ['sequencer'],
    meaning: 'The interval between two heartbeats of the leader.',
  }),
  takeoverAfterMs: setting(
    integer('RIALTO_TAKEOVER_AFTER_MS', { min: 100, max: 60_000, fallback: 800 }),
    {
      ...MS,
      usedBy: ['sequencer'],
      meaning:
        'A standby takes over after this long without a heartbeat. Too short: unneeded ' +
        'leader changes; too long: longer outages.',
    },
  ),
  frameGapMs: setting(integer('RIALTO_FRAME_GAP_MS', { min: 0, max: 100, fallback: 1 }), {
    ...MS,
    usedBy: ['sequencer'],
    meaning:
      'The minimum interval between the starts of two small frames. Longer: less processor time ' +
      'per order; shorter: orders wait less. The first frame after a pause never waits.',
  }),
  frameMsMax: setting(integer('RIALTO_FRAME_MS_MAX', { min: 100, max: 600_000, fallback: 5_000 }), {
    ...MS,
    usedBy: ['sequencer'],
    meaning:
      'A leader that is busy with one frame for longer counts as hung, and a standby takes over.',
  }),
};

const markSettings = {
  logMarkFile: setting(
    { ...optional(text('RIALTO_LOG_MARK_FILE')), requiredInProduction: true },
    {
      usedBy: ['sequencer', 'publisher'],
      meaning:
        'A file in which the process records how far it has followed the log. It refuses a log ' +
        'that ends earlier. Without it, which only development allows, it remembers nothing.',
      example: '/var/lib/rialto/sequencer/log-mark',
    },
  ),
};

const archivistSettings = {
  segmentEveryMs: setting(
    integer('RIALTO_SEGMENT_EVERY_MS', { min: 100, max: DAY_MS, fallback: 60_000 }),
    {
      ...MS,
      usedBy: ['archivist'],
      meaning: 'The maximum time until log frames are in an archive segment.',
    },
  ),
  snapshotEveryMs: setting(
    integer('RIALTO_SNAPSHOT_EVERY_MS', { min: 100, max: DAY_MS, fallback: 600_000 }),
    {
      ...MS,
      usedBy: ['archivist'],
      meaning:
        'The maximum time between two snapshots. A start replays everything after the last one.',
    },
  ),
  snapshotEveryFrames: setting(
    integer('RIALTO_SNAPSHOT_EVERY_FRAMES', { min: 1, max: 1_000_000_000, fallback: 250_000 }),
    {
      unit: 'frames',
      usedBy: ['archivist'],
      meaning: 'The maximum number of frames between two snapshots.',
    },
  ),
  archiveCopyFolder: setting(optional(text('RIALTO_ARCHIVE_COPY_FOLDER')), {
    usedBy: ['archivist'],
    meaning: 'A second copy of the archive, on another disk. Without it the log is never trimmed.',
    example: '/mnt/copy/rialto/archive',
  }),
  trimEveryMs: setting(duration('RIALTO_TRIM_EVERY_MS', 600_000), {
    ...MS,
    usedBy: ['archivist'],
    meaning: 'The interval between two trims of the log.',
  }),
  commandsKeptMs: setting(duration('RIALTO_COMMANDS_KEPT_MS', DAY_MS), {
    ...MS,
    usedBy: ['archivist'],
    meaning: 'Commands younger than this are kept in the log.',
  }),
  eventsKeptMs: setting(duration('RIALTO_EVENTS_KEPT_MS', 3_600_000), {
    ...MS,
    usedBy: ['archivist'],
    meaning: 'Events younger than this are kept in the log; they can be recomputed.',
  }),
  followersWaitMs: setting(duration('RIALTO_FOLLOWERS_WAIT_MS', DAY_MS), {
    ...MS,
    usedBy: ['archivist'],
    meaning: 'How long trimming waits for a follower that is not responding.',
  }),
  trimFollowers: setting(
    list('RIALTO_TRIM_FOLLOWERS', {
      fallback: ['projector', 'publisher', 'outbox-dispatcher'],
      of: 'services',
    }),
    { usedBy: ['archivist'], meaning: 'The services for which trimming waits.' },
  ),
  trimMarginFrames: setting(
    integer('RIALTO_TRIM_MARGIN_FRAMES', { min: 1, max: 1_000_000_000, fallback: 10_000 }),
    {
      unit: 'frames',
      usedBy: ['archivist'],
      meaning: 'Frames kept in the log before the slowest follower.',
    },
  ),
};

const projectorSettings = {
  lagMsMax: setting(
    integer('RIALTO_PROJECTOR_LAG_MS_MAX', { min: 1, max: DAY_MS, fallback: 10_000 }),
    {
      ...MS,
      usedBy: ['projector'],
      meaning: '`/ready` fails if the tables are further behind the log than this.',
    },
  ),
  batchEventsMax: setting(
    integer('RIALTO_PROJECTOR_BATCH_EVENTS', { min: 1, max: 1_000_000, fallback: 10_000 }),
    {
      unit: 'events',
      usedBy: ['projector'],
      meaning: 'The maximum number of events in one transaction.',
    },
  ),
  ordersPerPartition: setting(
    integer('RIALTO_PROJECTOR_ORDERS_PER_PARTITION', {
      min: 1_000,
      max: 1_000_000_000,
      fallback: 100_000_000,
    }),
    {
      unit: 'orders',
      usedBy: ['projector'],
      meaning:
        'The size of an order partition, for a new schema. An existing schema keeps its size.',
    },
  ),
};

const publisherSettings = {
  feedEveryMs: setting(integer('RIALTO_FEED_EVERY_MS', { min: 1, max: 60_000, fallback: 50 }), {
    ...MS,
    usedBy: ['publisher'],
    meaning: 'The minimum interval between two messages for a busy market.',
  }),
  depthEveryMs: setting(
    integer('RIALTO_DEPTH_EVERY_MS', { min: 1, max: 60_000, fallback: 1_000 }),
    {
      ...MS,
      usedBy: ['publisher'],
      meaning: 'The minimum interval between two messages for the depth and the mini chart.',
    },
  ),
  depthLevels: setting(integer('RIALTO_DEPTH_LEVELS', { min: 10, max: 100_000, fallback: 1_000 }), {
    unit: 'prices',
    usedBy: ['publisher'],
    meaning: 'The number of prices on each side of the depth.',
  }),
  changesEveryMs: setting(
    integer('RIALTO_CHANGES_EVERY_MS', { min: 1, max: 60_000, fallback: 20 }),
    {
      ...MS,
      usedBy: ['publisher'],
      meaning:
        'The minimum interval between two messages for a subscribed book (level 2, level 3).',
    },
  ),
  cursorEveryMs: setting(
    integer('RIALTO_CURSOR_EVERY_MS', { min: 1, max: 60_000, fallback: 1_000 }),
    { ...MS, usedBy: ['publisher'], meaning: 'How often an idle publisher stores its position.' },
  ),
  privateBytesMax: setting(
    integer('RIALTO_PRIVATE_BYTES_MAX', {
      min: 1_048_576,
      max: 1_099_511_627_776,
      fallback: 134_217_728,
    }),
    {
      unit: 'bytes',
      usedBy: ['publisher'],
      meaning: 'The size of the user event stream, from which clients resume.',
    },
  ),
  checkpointEveryMs: setting(
    integer('RIALTO_CHECKPOINT_EVERY_MS', { min: 100, max: DAY_MS, fallback: 60_000 }),
    { ...MS, usedBy: ['publisher'], meaning: 'How often the publisher stores its state.' },
  ),
};

const outboxSettings = {
  perChannelMax: setting(
    integer('RIALTO_OUTBOX_PER_CHANNEL', { min: 1, max: 1_024, fallback: 256 }),
    {
      unit: 'commands',
      usedBy: ['outbox-dispatcher'],
      meaning: 'Commands of one channel that can await a response at the same time.',
    },
  ),
  answerMs: setting(
    integer('RIALTO_OUTBOX_ANSWER_MS', { min: 100, max: 600_000, fallback: 10_000 }),
    {
      ...MS,
      usedBy: ['outbox-dispatcher'],
      meaning: 'A command without a response after this time is looked up in the log.',
    },
  ),
  pollMs: setting(integer('RIALTO_OUTBOX_POLL_MS', { min: 10, max: 60_000, fallback: 1_000 }), {
    ...MS,
    usedBy: ['outbox-dispatcher'],
    meaning: 'How often the outbox is read if no gateway notifies the dispatcher.',
  }),
};

const watchSettings = {
  reconcileEveryMs: setting(
    integer('RIALTO_RECONCILE_EVERY_MS', { min: 100, max: 600_000, fallback: 2_000 }),
    { ...MS, usedBy: ['reconciler'], meaning: 'The interval between two rounds of checks.' },
  ),
  reconcileRowsMax: setting(
    integer('RIALTO_RECONCILE_ROWS', { min: 100, max: 1_000_000, fallback: 100_000 }),
    {
      unit: 'rows',
      usedBy: ['reconciler'],
      meaning: 'The maximum number of rows that a check reads in a round.',
    },
  ),
  certificates: setting(
    list('RIALTO_MONITOR_CERTIFICATES', { fallback: [], of: 'files and host:port' }),
    {
      usedBy: ['monitor'],
      meaning:
        'Certificates whose expiry the monitor watches: PEM files, and servers as host:port.',
      example: '/etc/rialto/tls/link.pem,exchange.example.com:443',
    },
  ),
  disks: setting(list('RIALTO_MONITOR_DISKS', { fallback: [], of: 'folders' }), {
    usedBy: ['monitor'],
    meaning: 'Folders on its machine whose free space the monitor watches.',
    example: '/var/lib/rialto,/var/lib/postgresql',
  }),
  ledgerEveryMs: setting(
    integer('RIALTO_MONITOR_LEDGER_EVERY_MS', { min: 1_000, max: DAY_MS, fallback: 60_000 }),
    { ...MS, usedBy: ['monitor'], meaning: 'How often the monitor totals all balances.' },
  ),
};

export const logSettings = {
  ...sequencerSettings,
  ...markSettings,
  ...archivistSettings,
  ...projectorSettings,
  ...publisherSettings,
  ...outboxSettings,
  ...watchSettings,
};
