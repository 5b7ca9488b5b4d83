// An attacker has everything that a public gateway has for NATS and the link: its key, its
// subjects, the leader's token. The attacker tries every kind of command on every path, and every
// call that would change or read the log. Honest processes run with only their own permissions.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Command } from '../../core/messages/index.ts';
import { MemoryBus } from '../../infra/bus/bus-for-test.ts';
import { connectNats, type Nats, NatsBus } from '../../infra/bus/index.ts';
import {
  BatchWriter,
  type CommandClient,
  encodeHeartbeat,
  type LeaderHeartbeat,
  linkSubjects,
  type Outcome,
  openCommandClient,
} from '../../infra/command-link/index.ts';
import { claimedIdentity, type Identity, kindsOf } from '../../infra/identities/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { encodeStatusBeat } from '../../infra/status/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { EXCHANGE } from '../../tools/sandbox/sandbox-settings.ts';
import { readSeed } from '../../tools/services/identity-files.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { commandOf, EVERY_KIND } from './every-command.ts';

const SUBJECTS = linkSubjects(EXCHANGE);
const ANSWER_MS = 10_000;
/** Longer than the link's handshake takes. */
const UNANSWERED_MS = 3_000;
const HEARTBEAT: LeaderHeartbeat = {
  instance: 'attacker',
  writer: 99,
  epoch: 999,
  state: 'leading',
  sequence: 1,
  commandsApplied: 1,
  unacknowledgedMs: 0,
  acknowledgedMs: 0,
  eventsSequence: 1,
  schemaVersion: 1,
  outputDigests: [],
  stateHash: '',
  stateHashSequence: 0,
};
const BEAT = {
  service: 'sequencer',
  instance: 'sequencer-1',
  host: 'h',
  pid: 1,
  version: '1',
  commit: 'c',
  startedMs: 1,
  checks: {},
  figures: {},
  disks: [],
  isLeaving: true,
};

let sandbox: Sandbox;
let attacker: Nats;
let stolen: Identity;
const violations: string[] = [];

before(async () => {
  sandbox = await startSandbox({
    streams: 1,
    withArchivist: true,
    withReconciler: true,
    withMonitor: true,
    withNotifier: true,
  });
  const seed = Buffer.from(readSeed(`${sandbox.folder}/identities/gateway-http.nkey`));
  stolen = { ...claimedIdentity('gateway-http'), seed };
  const urls = sandbox.nats.nodes.map(({ plainUrl }) => plainUrl);
  attacker = await connectNats({ urls, name: 'attacker', identity: stolen });
  void collectViolations();
});

after(async () => {
  await attacker?.close();
  await sandbox?.stop();
});

async function collectViolations(): Promise<void> {
  for await (const status of attacker.client.status()) {
    if (status.type === 'error') violations.push(status.error.message);
  }
}

/** Returns lines of the NATS log about rejected calls. */
function refusedCalls(): string[] {
  const [{ logFile }] = sandbox.nats.nodes;
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('Violation'));
}

/** Returns everything that money and configuration leave in the tables. */
async function moneyOf(): Promise<string> {
  const texts = [
    'select owner, asset_id, available_atoms + held_atoms as atoms from balances order by 1, 2',
    'select id, symbol, issuance_cap_atoms from assets order by 1',
    'select id, name, status from markets order by 1',
    'select market_id, tier, maker_ppm, taker_ppm from market_fees order by 1, 2',
    'select name, value from limits order by 1',
  ];
  const answers = [];
  for (const text of texts) answers.push((await sandbox.admin.projections.query(text)).rows);
  return JSON.stringify(answers);
}

function send(client: CommandClient, command: Command): Promise<Outcome> {
  return new Promise((done) => client.send(command, ANSWER_MS, done));
}

function textOf(outcome: Outcome): string {
  return outcome.kind === 'not_taken' ? outcome.reason : outcome.kind;
}

/** Returns the outcome of every kind of command, each in a separate batch. */
async function tryEveryKind(client: CommandClient): Promise<Map<string, string>> {
  await waitUntil({ what: 'a leader', timeoutMs: ANSWER_MS, question: () => client.epoch > 0 });
  const outcomes = new Map<string, string>();
  for (const kind of EVERY_KIND) {
    outcomes.set(kind, textOf(await send(client, commandOf(kind, client.nextId()))));
  }
  return outcomes;
}

const EXPECTED = new Map(
  EVERY_KIND.map((kind) => [
    kind,
    kindsOf('gateway-http').includes(kind) ? 'answered' : 'not_permitted',
  ]),
);

test('every service works with its own permissions, without rejected calls', async () => {
  const { alice } = sandbox.seeded.users;
  const rest = new RestClient({ url: sandbox.url, key: alice.key, secret: alice.secret });
  const order = { symbol: 'btc-usdt', side: 'buy', size: 0.01, type: 'limit', price: 40_000 };
  const placed = await rest.post('/order', order);
  assert.equal(placed.status, 200, placed.text);
  assert.equal((await rest.get('/orders')).status, 200);
  await sandbox.service('gateway-http-1').restart();
  await sandbox.service('gateway-websocket-1').restart();
  assert.deepEqual(refusedCalls(), []);
});

async function linkCount(): Promise<number> {
  const { healthUrl } = sandbox.service('sequencer-1');
  const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
  return Number(/^rialto_sequencer_link_connections (\d+)$/m.exec(metrics)?.[1]);
}

test('abuse 90: money and configuration are rejected over the link', async () => {
  const linksBefore = await linkCount();
  const before = await moneyOf();
  const bus = new NatsBus(attacker);
  const client = openCommandClient({
    bus,
    clock: systemClock,
    exchange: EXCHANGE,
    identity: stolen,
  });
  await waitUntil({
    what: 'the link is open',
    timeoutMs: ANSWER_MS,
    question: async () => (await linkCount()) > linksBefore,
  });
  const outcomes = await tryEveryKind(client);
  client.close();
  assert.deepEqual(outcomes, EXPECTED);
  const refused = [...outcomes.values()].filter((one) => one === 'not_permitted').length;
  assert.deepEqual([outcomes.size, refused], [29, 21]);
  assert.equal(await moneyOf(), before);
});

test('abuse 90: money and configuration are rejected over NATS without the link', async () => {
  const before = await moneyOf();
  const bus = new NatsBus(attacker);
  // Without the address in heartbeats there is no link.
  const busAlone = {
    publish: bus.publish.bind(bus),
    subscribe: (subject: string, receive: (message: Uint8Array, subject: string) => void) =>
      bus.subscribe(subject, (message, from) => receive(withoutLink(message), from)),
  };
  const identity = stolen;
  const client = openCommandClient({
    bus: busAlone,
    clock: systemClock,
    exchange: EXCHANGE,
    identity,
  });
  assert.deepEqual(await tryEveryKind(client), EXPECTED);
  client.close();
  assert.equal(await moneyOf(), before);
});

function withoutLink(message: Uint8Array): Uint8Array {
  const text = Buffer.from(message).toString();
  if (!text.startsWith('{"')) return message;
  return Buffer.from(JSON.stringify({ ...JSON.parse(text), linkAddress: undefined }));
}

test("abuse 90: neither NATS nor the link accepts another identity's name", async () => {
  const before = await moneyOf();
  const identity = { ...claimedIdentity('outbox-dispatcher'), seed: stolen.seed };
  const seenBefore = violations.length;
  // NATS rejects results and batches of the dispatcher, and the link rejects its name.
  const refusals: string[] = [];
  const subscription = attacker.client.subscribe('rialto.link.results.outbox-dispatcher.*', {
    callback: (fault) => void refusals.push(fault?.message ?? 'a message'),
  });
  const writer = new BatchWriter();
  writer.add(commandOf('MintAsset', { source: 7, number: 1 }));
  const header = { source: 7, batch: 1, epoch: 1, floor: 0 };
  attacker.client.publish(SUBJECTS.commandsFrom(identity.name), writer.close(header).slice());
  await attacker.client.flush();
  await waitUntil({
    what: 'both are rejected',
    timeoutMs: ANSWER_MS,
    question: () => refusals.length > 0 && violations.length >= seenBefore + 1,
  });
  assert.match(refusals[0], /Permissions Violation/);
  subscription.unsubscribe();
  const bus = new MemoryBus();
  const client = openCommandClient({ bus, clock: systemClock, exchange: EXCHANGE, identity });
  bus.deliver(SUBJECTS.leader, encodeHeartbeat((await positionOfLeader()).leader));
  const mint = commandOf('MintAsset', client.nextId());
  const outcome = await new Promise<Outcome>((done) => client.send(mint, UNANSWERED_MS, done));
  client.close();
  assert.equal(outcome.kind, 'unknown', 'no server responded');
  assert.equal(await moneyOf(), before);
});

/** Subjects that only other identities publish. */
const FORGED: readonly [subject: string, message: Uint8Array][] = [
  [SUBJECTS.leader, encodeHeartbeat(HEARTBEAT)],
  [SUBJECTS.standby, encodeHeartbeat({ instance: 'attacker', writer: 99, sequence: 1 })],
  [
    SUBJECTS.handOver,
    encodeHeartbeat({ from: 'sequencer-1', to: 'attacker', toWriter: 99, epoch: 1, sequence: 1 }),
  ],
  [SUBJECTS.resultsFor('outbox-dispatcher', 1), Buffer.from('x')],
  ['rialto.log.commands', Buffer.from('x')],
  ['rialto.log.events', Buffer.from('x')],
  ['rialto.status.sequencer', encodeStatusBeat(BEAT)],
  ['rialto.health', Buffer.from('{}')],
  ['rialto.switches.changed', Buffer.from('')],
  ['rialto.outbox.settled', Buffer.from('{}')],
  ['rialto.projector.progress', Buffer.from('{}')],
  ['rialto.private.2', Buffer.from('{}')],
  ['rialto.feed.book.btc-usdt', Buffer.from('{}')],
  ['rialto.live.trades.btc-usdt', Buffer.from('{}')],
  ['rialto.notices.2.deposit', Buffer.from('{}')],
  ['rialto.notices.operators.health', Buffer.from('{}')],
  ['$O.RIALTO_SNAPSHOTS.M.x', Buffer.from('{}')],
];

/** JetStream calls that change, delete or read data that is not the gateway's. */
const CALLS: readonly string[] = [
  ...['RIALTO_COMMANDS', 'RIALTO_EVENTS', 'OBJ_RIALTO_SNAPSHOTS', 'RIALTO_PRIVATE'].flatMap(
    (stream) => [
      `STREAM.CREATE.${stream}`,
      `STREAM.UPDATE.${stream}`,
      `STREAM.DELETE.${stream}`,
      `STREAM.PURGE.${stream}`,
      `STREAM.MSG.DELETE.${stream}`,
      `STREAM.MSG.GET.${stream}`,
      `STREAM.SNAPSHOT.${stream}`,
      `STREAM.RESTORE.${stream}`,
      `STREAM.LEADER.STEPDOWN.${stream}`,
      `DIRECT.GET.${stream}`,
      `CONSUMER.CREATE.${stream}`,
      `CONSUMER.CREATE.${stream}.one`,
      `CONSUMER.DURABLE.CREATE.${stream}.one`,
    ],
  ),
  'STREAM.CREATE.MINE',
  'STREAM.DELETE.RIALTO_FEED',
  'STREAM.PURGE.RIALTO_FEED',
  'STREAM.LIST',
  'STREAM.NAMES',
  'META.LEADER.STEPDOWN',
];

const LISTENED: readonly string[] = [
  '>',
  'rialto.>',
  'rialto.link.commands.>',
  'rialto.link.results.>',
  'rialto.private.*',
  'rialto.notices.>',
  'rialto.status.>',
  '_INBOX.>',
  '_INBOX.sequencer.>',
  '$SYS.>',
];

test('abuse 90: NATS rejects forged messages and calls about the log', async () => {
  const before = await moneyOf();
  for (const [subject, message] of FORGED) {
    const count = violations.length;
    attacker.client.publish(subject, message);
    await attacker.client.flush();
    await waitUntil({
      what: `${subject} is refused`,
      timeoutMs: ANSWER_MS,
      question: () => violations.length > count,
    });
    assert.match(violations[count], /Permissions Violation for Publish/);
  }
  for (const call of CALLS) {
    const answer = attacker.client.request(`$JS.API.${call}`, '{}', { timeout: ANSWER_MS });
    await assert.rejects(answer, /Permissions Violation for Publish/, call);
  }
  for (const subject of LISTENED) {
    const fault = await new Promise<Error | null>((done) => {
      attacker.client.subscribe(subject, { callback: done });
    });
    assert.match(fault?.message ?? '', /Permissions Violation for Subscription/, subject);
  }
  assert.deepEqual([FORGED.length, CALLS.length, LISTENED.length], [17, 58, 10]);
  assert.equal(await moneyOf(), before);
});

test('abuse 90: a batch that claims a later epoch does not depose a leader', async () => {
  const { leader } = await positionOfLeader();
  const writer = new BatchWriter();
  for (let batch = 1; batch <= 200; batch++) {
    writer.add(commandOf('SetDeadManSwitch', { source: 9, number: batch }));
    const message = writer.close({ source: 9, batch, epoch: leader.epoch + batch, floor: 0 });
    attacker.client.publish(SUBJECTS.commandsFrom('gateway-http'), message.slice());
  }
  await attacker.client.flush();
  const { alice } = sandbox.seeded.users;
  const rest = new RestClient({ url: sandbox.url, key: alice.key, secret: alice.secret });
  const order = { symbol: 'btc-usdt', side: 'buy', size: 0.01, type: 'limit', price: 40_000 };
  assert.equal((await rest.post('/order', order)).status, 200);
  assert.equal((await positionOfLeader()).leader.epoch, leader.epoch);
});

async function positionOfLeader(): Promise<{ leader: LeaderHeartbeat }> {
  return new Promise((done) => {
    const subscription = sandbox.admin.bus.subscribe(SUBJECTS.leader, (message) => {
      subscription.stop();
      done({ leader: JSON.parse(Buffer.from(message).toString()) });
    });
  });
}

test('rejected commands are counted and raise an alarm', async () => {
  const { healthUrl } = sandbox.service('sequencer-1');
  const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
  const minted =
    /rialto_sequencer_commands_forbidden_total\{sender="gateway-http",kind="MintAsset"\} 2/;
  assert.match(metrics, minted);
  const report = await new Promise<string>((done) => {
    const subscription = sandbox.admin.bus.subscribe('rialto.health', (message) => {
      const text = Buffer.from(message).toString();
      if (!text.includes('CommandForbidden')) return;
      subscription.stop();
      done(text);
    });
  });
  assert.match(report, /CommandForbidden/);
});
