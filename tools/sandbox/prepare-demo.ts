// Prepares a demo exchange before its first sequencer starts: the agents' users, 30 days of their
// trades in the log, and descriptions of its coins and pairs.

import { writeFileSync } from 'node:fs';
import { accountsFor } from '../../agents/index.ts';
import { ONE_MILLION_PPM, type UserId } from '../../core/money/index.ts';
import { setEngineSettings } from '../../features/accounts/index.ts';
import {
  createStreams,
  type Extent,
  JetStreamLog,
  journalNames,
  ObjectStoreSnapshots,
  type Snapshot,
} from '../../infra/journal/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { HISTORY_DAYS, type WrittenHistory, writeHistory } from '../agents/write-history.ts';
import { inDevelopment, nameWrittenLog } from '../create-log/create-log.ts';
import { counted } from '../text-table.ts';
import { DEMO_ASSETS, DEMO_PAIRS } from './demo-plan.ts';
import type { SandboxAdmin } from './sandbox-admin.ts';
import { agentKeysFile, EXCHANGE } from './sandbox-settings.ts';
import { describeListings } from './seed.ts';
import { codeOf, insertTraders } from './traders.ts';

const SEED = 1;
/** Distinguishes agents from users for operators. */
const AGENT_DOMAIN = 'agents.example.com';

export interface DemoOptions {
  readonly replicas: number;
  /** 30 by default. */
  readonly days?: number | undefined;
  readonly print: (line: string) => void;
}

/** Does nothing if the log has frames, because a log only ever grows. */
export async function prepareDemo(
  admin: SandboxAdmin,
  { days = HISTORY_DAYS, print, replicas }: DemoOptions,
): Promise<WrittenHistory | undefined> {
  const { nats } = admin;
  const log = inDevelopment({ exchange: EXCHANGE, replicas });
  await createStreams(nats, log);
  const names = journalNames(EXCHANGE);
  const commands = new JetStreamLog({ nats, ...names.commands });
  const events = new JetStreamLog({ nats, ...names.events });
  const onProblem = (problem: unknown) => console.error(problem);
  const snapshots = new ObjectStoreSnapshots({ nats, bucket: names.bucket, onProblem });
  const extent = await new Promise<Extent | undefined>((done) => commands.extent(done));
  if (extent === undefined) throw new Error('COMMANDS is not responding');
  if (extent.last > 0) return undefined;
  print(`simulating the last ${counted(days, 'day')} of trading`);
  const users = await createAgents(admin);
  const untilMs = systemClock.nowMs();
  const written = await writeHistory({ commands, events, seed: SEED, days, untilMs, users });
  const inFrames = `${counted(written.commands, 'command')} in ${counted(written.frames, 'frame')}`;
  print(`${counted(written.trades, 'trade')}, ${inFrames}`);
  await storeSnapshot(snapshots, written.snapshot);
  await nameWrittenLog(nats, log);
  await describeListings(admin, { assets: DEMO_ASSETS, markets: DEMO_PAIRS });
  return written;
}

/** Creates the agents' users, by account name. Their keys are in a file for their service. */
async function createAgents(admin: SandboxAdmin): Promise<Map<string, UserId>> {
  const names = accountsFor().map(({ name }) => name);
  const codes = names.map((_, at) => codeOf('D', at));
  const agents = await insertTraders(admin, { names, codes, domain: AGENT_DOMAIN });
  // As in the history, because the registry must agree with the engine.
  for (const { user } of agents) {
    await setEngineSettings(admin.registry, { user, discountPpm: ONE_MILLION_PPM });
  }
  const keys = agents.map(({ key, name, secret }) => [name, { key, secret }]);
  const text = `${JSON.stringify(Object.fromEntries(keys), null, 2)}\n`;
  writeFileSync(agentKeysFile(admin.folder), text, { mode: 0o600 });
  return new Map(agents.map(({ name, user }) => [name, user]));
}

async function storeSnapshot(snapshots: ObjectStoreSnapshots, snapshot: Snapshot): Promise<void> {
  const { sequence } = snapshot.info;
  const done = (begin: (next: (isDone: boolean) => void) => void) =>
    new Promise<void>((resolve, fail) => {
      begin((isDone) => (isDone ? resolve() : fail(new Error('the snapshot was not stored'))));
    });
  await done((next) => snapshots.write(snapshot, next));
  await done((next) => snapshots.readDraft(sequence, (answer) => next(typeof answer !== 'string')));
  await done((next) => snapshots.confirm(sequence, next));
}
