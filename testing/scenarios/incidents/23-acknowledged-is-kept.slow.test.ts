// Incidents 23, 24 and 25 on real processes: the sequencer is killed, then the log's server, in
// the middle of trading; then everything restarts from a snapshot. Every acknowledged command must
// be in the log exactly once, and repeats must be recognized.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { accountsOf } from '../../../core/engine/index.ts';
import {
  type Command,
  type CommandFrame,
  decodeCommandFrame,
} from '../../../core/messages/index.ts';
import { connectNats, type Nats, NatsBus } from '../../../infra/bus/index.ts';
import {
  COMMAND_CLIENT_DEFAULTS,
  CommandClient,
  type Outcome,
} from '../../../infra/command-link/index.ts';
import { hashFrame } from '../../../infra/journal/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { Replica } from '../../../infra/replica/index.ts';
import { flowCommands } from '../../../tools/bench/journal/flow-commands.ts';
import { readFrames } from '../../../tools/bench/journal/read-frames.ts';
import { createLogAt } from '../../../tools/create-log/create-log.ts';
import { type NatsServers, startNats } from '../../../tools/services/nats.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';

const EXCHANGE = 'rialto';
const SOURCE = 4_711;
const COMMANDS = 3_000;
const OPEN = 200;
const PATIENCE_MS = 60_000;
const ROOT = join(import.meta.dirname, '../../..');

const folder = mkdtempSync(join(tmpdir(), 'rialto-incident-'));
const running = new Set<ChildProcess>();
const said = new WeakMap<ChildProcess, Line[]>();
let servers: NatsServers;
let nats: Nats;
let client: CommandClient;

before(async () => {
  servers = await startNats({ folder, nodes: 1 });
  await createLogAt(servers.urls, { exchange: EXCHANGE });
  nats = await connectNats({ urls: servers.urls, name: 'incident' });
  client = newClient();
});

after(async () => {
  client.close();
  for (const child of running) child.kill('SIGKILL');
  await nats.close();
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A gateway session. A second one with the same source represents a restarted gateway. */
function newClient(): CommandClient {
  const source = { sender: 'sandbox', source: SOURCE, retryMs: 300, retryMsMax: 1_000 };
  const ports = { bus: new NatsBus(nats), clock: systemClock, exchange: EXCHANGE };
  return new CommandClient({ ...COMMAND_CLIENT_DEFAULTS, ...ports, ...source });
}

type Line = { readonly msg: string; readonly sequence?: number };

/** Resolves with the first log line that has the awaited message. */
function start(service: string, awaited: string, settings = {}): Promise<[ChildProcess, Line]> {
  const child = spawn(process.execPath, [join(ROOT, `services/${service}/main.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      // Only PATH is inherited: a service rejects RIALTO_ variables that it does not know.
      PATH: process.env.PATH,
      RIALTO_MODE: 'development',
      RIALTO_REPLICAS: '1',
      RIALTO_EXCHANGE: EXCHANGE,
      RIALTO_NATS_URLS: servers.urls.join(','),
      ...settings,
    },
  });
  running.add(child);
  const lines: Line[] = [];
  said.set(child, lines);
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`${service} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if (line.msg === awaited) done([child, line]);
    });
  });
}

function startSequencer(): Promise<[ChildProcess, Line]> {
  return start('sequencer', 'leader elected');
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child);
  child.removeAllListeners('exit');
  const exit = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await exit;
}

function ask(command: Command): Promise<Outcome> {
  return new Promise((done) => client.send(command, PATIENCE_MS, done));
}

/** Sends all commands, some at a time; kills a process after a number of responses. */
async function trade(
  commands: readonly Command[],
  strikes: Readonly<Record<number, () => Promise<void>>>,
): Promise<Map<number, Outcome>> {
  const told = new Map<number, Outcome>();
  const struck: Promise<void>[] = [];
  let next = 0;
  async function sendInTurn(): Promise<void> {
    while (next < commands.length) {
      const command = commands[next++];
      told.set(command.number, await ask(command));
      const strike = strikes[told.size];
      if (strike !== undefined) struck.push(strike());
    }
  }
  await Promise.all(Array.from({ length: OPEN }, sendInTurn));
  await Promise.all(struck);
  return told;
}

/** Replays the log from its first frame and returns the frames and the state. */
async function replay(): Promise<{
  frames: CommandFrame[];
  replica: Replica;
  numbers: Map<number, number[]>;
}> {
  const replica = Replica.create();
  const frames: CommandFrame[] = [];
  /** For each command id: the positions in the log where it was applied, repeats excluded. */
  const numbers = new Map<number, number[]>();
  for (const { frame } of await readFrames(nats, EXCHANGE)) {
    const { events } = replica.follow({ frame, frameHash: hashFrame(frame) });
    const decoded = decodeCommandFrame(frame);
    frames.push(decoded);
    const repeated = new Set(
      events.events
        .filter(({ kind }) => kind === 'CommandRepeated')
        .map(({ command }) => command as number),
    );
    for (const [index, command] of decoded.commands.entries()) {
      const place = events.firstCommand + index;
      if (command.source !== SOURCE || repeated.has(place)) continue;
      numbers.set(command.number, [...(numbers.get(command.number) ?? []), place]);
    }
  }
  return { frames, replica, numbers };
}

let told: Map<number, Outcome>;
let sent: Command[];

test('incident 25: killing sequencer and broker mid-match loses or doubles nothing', async () => {
  let [sequencer] = await startSequencer();
  const [archivist] = await start('archivist', 'started', {
    RIALTO_ARCHIVE_FOLDER: join(folder, 'archive'),
    RIALTO_SNAPSHOT_EVERY_MS: '500',
  });
  const flow = flowCommands(COMMANDS, 25);
  sent = [...flow.preparing, ...flow.measured].map((command) => ({
    ...command,
    ...client.nextId(),
  }));
  const half = flow.preparing.length + COMMANDS / 2;
  told = await trade(sent, {
    [half - 1_000]: async () => {
      await kill(sequencer);
      [sequencer] = await startSequencer();
    },
    [half + 500]: async () => {
      await servers.nodes[0].kill('SIGKILL');
      await servers.nodes[0].start();
    },
  });
  const { numbers } = await replay();
  for (const { number } of sent) {
    const outcome = told.get(number);
    assert.equal(outcome?.kind, 'answered', `command ${number} is ${outcome?.kind}`);
    const places = numbers.get(number) ?? [];
    assert.deepEqual(places, [outcome.result.command], `command ${number}`);
  }
  // The next test starts from here.
  const question = () =>
    said
      .get(archivist)!
      .some(({ msg, sequence = 0 }) => msg === 'snapshot verified' && sequence > 1);
  await waitUntil({ what: 'a snapshot is verified', timeoutMs: PATIENCE_MS, question });
  await kill(sequencer);
});

test('incident 23: a repeat is recognized after a restart from a snapshot', async () => {
  const [, { sequence }] = await start('sequencer', 'state restored');
  assert.ok((sequence ?? 0) > 1, 'it starts from a snapshot');
  client.close();
  client = newClient();
  const known = sent.slice(-300);
  for (const command of known) {
    const outcome = await ask(command);
    assert.equal(outcome.kind, 'answered');
    const first = told.get(command.number);
    assert.ok(first?.kind === 'answered');
    const { isRepeat, command: place, refusal } = outcome.result;
    assert.deepEqual(
      [isRepeat, place, refusal],
      [true, first.result.command, first.result.refusal],
    );
  }
});

test('incident 24: a repeated deposit is credited once, under any name', async () => {
  const deposit = sent.find(({ kind }) => kind === 'CreditDeposit') ?? assert.fail();
  const before = accountsOf((await replay()).replica.exchange);
  const again = await ask({ ...deposit, source: SOURCE, number: sent.length + 1 });
  assert.equal(again.kind, 'answered');
  assert.equal(again.result.refusal, 'channel_sequence_already_seen');
  assert.deepEqual(accountsOf((await replay()).replica.exchange), before);
});
