// The permissions of each identity on NATS: the subjects that it publishes and subscribes, and the
// calls of JetStream that it makes. The server refuses everything else.

import {
  IDENTITIES,
  type IdentityName,
  SANDBOX_IDENTITY,
  type ServiceIdentity,
} from './identities.ts';

export interface NatsPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Subjects and streams of an exchange, as patterns. Tests compare them with their owners. */
interface Names {
  /** The subject with the exchange's name before it. */
  readonly on: (subject: string) => string;
  readonly commands: string;
  readonly events: string;
  readonly bucket: string;
  readonly snapshots: string;
  readonly name: string;
  readonly feed: string;
  readonly feedState: string;
  readonly userEvents: string;
}

function namesOf(exchange: string): Names {
  const prefix = exchange.toUpperCase();
  return {
    on: (subject) => `${exchange}.${subject}`,
    commands: `${prefix}_COMMANDS`,
    events: `${prefix}_EVENTS`,
    bucket: `${prefix}_SNAPSHOTS`,
    snapshots: `OBJ_${prefix}_SNAPSHOTS`,
    name: `${prefix}_NAME`,
    feed: `${prefix}_FEED`,
    feedState: `${prefix}_FEED_STATE`,
    userEvents: `${prefix}_PRIVATE`,
  };
}

const stateOf = (stream: string) => `$JS.API.STREAM.INFO.${stream}`;
const creates = (stream: string) => `$JS.API.STREAM.CREATE.${stream}`;
const updates = (stream: string) => `$JS.API.STREAM.UPDATE.${stream}`;
const reads = (stream: string) => [
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}.>`,
];
const follows = (stream: string) => [
  ...reads(stream),
  `$JS.API.CONSUMER.CREATE.${stream}`,
  `$JS.API.CONSUMER.CREATE.${stream}.>`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
  `$JS.ACK.${stream}.>`,
  `$JS.FC.${stream}.>`,
];

/** Every process that opens the journal checks its streams. */
function journalOf(names: Names): string[] {
  const { commands, events, name, snapshots } = names;
  return [commands, events, snapshots, name].map(stateOf);
}

/** The client of the object store asks for the account first. */
function readsSnapshots(names: Names): string[] {
  return ['$JS.API.INFO', ...follows(names.snapshots)];
}

function gatewayPermissions(names: Names, identity: ServiceIdentity): NatsPermissions {
  const { on } = names;
  return {
    publish: [
      ...journalOf(names),
      on(`link.commands.${identity}`),
      on('access.>'),
      on('projector.wanted'),
    ],
    subscribe: [
      on(`link.results.${identity}.*`),
      on('link.leader'),
      on('feed.>'),
      on('access.>'),
      on('projector.progress'),
      on('switches.changed'),
    ],
  };
}

function httpPermissions(names: Names, identity: ServiceIdentity): NatsPermissions {
  const { on } = names;
  const gateway = gatewayPermissions(names, identity);
  const announces = identity === 'gateway-admin' ? [on('switches.changed')] : [];
  return {
    publish: [
      ...gateway.publish,
      ...announces,
      stateOf(names.feed),
      ...follows(names.feed),
      on('outbox.waiting'),
      on('orders.amending'),
      on('budgets'),
    ],
    subscribe: [
      ...gateway.subscribe,
      on('outbox.settled'),
      on('orders.amending'),
      on('budgets'),
      on('health'),
    ],
  };
}

function streamPermissions(names: Names, identity: ServiceIdentity): NatsPermissions {
  const { on } = names;
  const { publish, subscribe } = gatewayPermissions(names, identity);
  return {
    publish: [
      ...publish,
      stateOf(names.feed),
      stateOf(names.userEvents),
      ...reads(names.feed),
      ...reads(names.userEvents),
      on('switches.let-go'),
      on('ask.>'),
    ],
    subscribe: [
      ...subscribe,
      on('live.>'),
      on('private.*'),
      on('notices.>'),
      on('switches.let-go'),
    ],
  };
}

const TABLE: Readonly<
  Record<ServiceIdentity, (names: Names, identity: ServiceIdentity) => NatsPermissions>
> = {
  sequencer: (names) => ({
    publish: [
      ...journalOf(names),
      // For `rialto create-log` and `rialto restore`, which use its key. It never creates a stream.
      ...[names.commands, names.events, names.snapshots, names.name].map(creates),
      ...follows(names.commands),
      ...follows(names.events),
      ...readsSnapshots(names),
      names.on('log.commands'),
      names.on('log.events'),
      names.on('link.leader'),
      names.on('link.standby'),
      names.on('link.hand-over'),
      names.on('link.results.*.*'),
    ],
    subscribe: [
      names.on('link.commands.>'),
      names.on('link.leader'),
      names.on('link.standby'),
      names.on('link.hand-over'),
    ],
  }),
  archivist: (names) => ({
    publish: [
      ...journalOf(names),
      ...follows(names.commands),
      ...follows(names.events),
      ...readsSnapshots(names),
      `$O.${names.bucket}.>`,
      `$JS.API.STREAM.PURGE.${names.snapshots}`,
      // It alone discards messages of the log, behind snapshots and archive copies.
      `$JS.API.STREAM.PURGE.${names.commands}`,
      `$JS.API.STREAM.PURGE.${names.events}`,
    ],
    // How far the followers of the log have read.
    subscribe: ['projector', 'publisher', 'outbox-dispatcher'].map((follower) =>
      names.on(`status.${follower}`),
    ),
  }),
  projector: (names) => ({
    publish: [...journalOf(names), ...follows(names.events), names.on('projector.progress')],
    subscribe: [names.on('projector.wanted')],
  }),
  publisher: (names) => ({
    publish: [
      ...journalOf(names),
      ...follows(names.events),
      ...[names.feed, names.feedState, names.userEvents].flatMap((stream) => [
        stateOf(stream),
        creates(stream),
        updates(stream),
        ...follows(stream),
      ]),
      names.on('feed.>'),
      names.on('live.>'),
      names.on('private.*'),
      names.on('feed-state.>'),
      // Answers to questions for books.
      '_INBOX.gateway-websocket.>',
      '_INBOX.gateway-ws-admin.>',
    ],
    subscribe: [names.on('ask.>')],
  }),
  'outbox-dispatcher': (names) => ({
    publish: [
      ...journalOf(names),
      ...follows(names.commands),
      ...follows(names.events),
      names.on('link.commands.outbox-dispatcher'),
      names.on('outbox.settled'),
      names.on('notices.>'),
    ],
    subscribe: [
      names.on('link.results.outbox-dispatcher.*'),
      names.on('link.leader'),
      names.on('outbox.waiting'),
      names.on('outbox.settled'),
      names.on('switches.changed'),
    ],
  }),
  reconciler: (names) => ({
    publish: [
      ...journalOf(names),
      ...follows(names.commands),
      ...readsSnapshots(names),
      names.on('notices.operators.*'),
    ],
    subscribe: [],
  }),
  monitor: (names) => ({
    publish: [...journalOf(names), names.on('health'), names.on('notices.operators.*')],
    subscribe: [names.on('status.>'), names.on('health')],
  }),
  notifier: (names) => ({ publish: [], subscribe: [names.on('switches.changed')] }),
  // Agents trade through the public API: here they only send their beat.
  'market-agents': () => ({ publish: [], subscribe: [] }),
  // It reads the log nowhere; its credits are in the outbox.
  'chain-watcher': (names) => ({
    publish: [names.on('outbox.waiting')],
    subscribe: [names.on('switches.changed')],
  }),
  'gateway-http': httpPermissions,
  'gateway-identity': httpPermissions,
  'gateway-admin': httpPermissions,
  'gateway-websocket': streamPermissions,
  'gateway-ws-admin': streamPermissions,
};

/** The permissions of every identity: each also sends its beat and receives its answers. */
export function natsPermissions(
  exchange: string,
  { withSandbox }: { readonly withSandbox: boolean },
): ReadonlyMap<IdentityName, NatsPermissions> {
  const names = namesOf(exchange);
  const rows = IDENTITIES.map((identity): [IdentityName, NatsPermissions] => {
    const { publish, subscribe } = TABLE[identity](names, identity);
    return [
      identity,
      {
        publish: [...publish, names.on(`status.${identity}`)],
        subscribe: [...subscribe, `_INBOX.${identity}.>`],
      },
    ];
  });
  const everything: NatsPermissions = { publish: ['>'], subscribe: ['>'] };
  return new Map(withSandbox ? [...rows, [SANDBOX_IDENTITY, everything]] : rows);
}
