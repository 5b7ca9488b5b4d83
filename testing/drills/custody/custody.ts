// Watch-only custody under faults: deposits of twelve kinds on a local chain, while the watcher,
// the dispatcher and PostgreSQL are killed, the chain is reorganized and nodes lose, delay and
// falsify answers. Checked against the chain and the log. At the end a replaced final block must
// halt it.

import { waitUntil } from '../../../tools/services/wait-until.ts';
import { Random } from '../../flows/index.ts';
import { KINDS, type SentDeposit, sendDeposit } from './deposits.ts';
import { judge } from './judge.ts';
import { type DrillStage, FINAL_AFTER, NETWORK, openStage } from './stage.ts';

const SEED = Number(process.env.RIALTO_SEED ?? 34);
const SIZES = {
  full: { deposits: 5_000, kills: 120, reorgs: 100, lies: 500 },
  quick: { deposits: 200, kills: 9, reorgs: 10, lies: 20 },
};
const DEPOSITS_PER_BLOCK = 4;
const VICTIMS = ['watcher', 'dispatcher', 'postgres'] as const;
const CAUGHT_UP_WITHIN_MS = 60_000;
const HALTED_WITHIN_MS = 30_000;
/** Deeper than what is final, but less than the whole chain. */
const DEEP_REORG = FINAL_AFTER + 3;
/** Percent of all calls. */
const FAULTS = { 'lose call': 2, 'lose answer': 2, double: 2, 'cut short': 1, error: 2, delay: 1 };
const LIED_METHODS = [
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
  'debug_traceBlockByHash',
  'eth_getProof',
  'eth_call',
];

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? SIZES.quick : SIZES.full;
  console.log(`seed ${SEED}`);
  const startedMs = performance.now();
  const random = new Random(SEED);
  const stage = await openStage(random);
  console.log(`stage open after ${secondsSince(startedMs)} s`);
  try {
    const sent: SentDeposit[] = [];
    const done = await disturbedBlocks(stage, { random, sent, size });
    console.log(`${sent.length} deposits sent after ${secondsSince(startedMs)} s`);
    await calm(stage);
    const verdict = await judge(stage, sent);
    for (const reason of verdict.reasons) console.error(reason);
    const isHalted = await reorganizeBelowFinality(stage, verdict.credited, { random, sent });
    const result = {
      drill: 'custody',
      quick,
      deposits: sent.length,
      credited: verdict.credited,
      kills: done.kills,
      reorgs: done.reorgs + 1,
      lies: sumOf(stage, 'lie'),
      liedMethods: new Set(stage.proxies.flatMap(({ liedMethods }) => [...liedMethods])).size,
      lostAnswers: sumOf(stage, 'lose answer') + sumOf(stage, 'lose call'),
      lost: verdict.lost,
      doubleCredited: verdict.doubleCredited,
      tooMuch: verdict.tooMuch,
      holdingsDifference: verdict.holdingsDifference,
      halted: isHalted,
      seconds: secondsSince(startedMs),
      seed: SEED,
    };
    const { doubleCredited, holdingsDifference, lost, tooMuch } = verdict;
    const faults = lost + doubleCredited + tooMuch + holdingsDifference;
    // Without credits and lies the run shows nothing.
    const isMeaningful = verdict.credited > 0 && result.lies >= size.lies;
    if (faults > 0 || !isHalted || !isMeaningful) process.exitCode = 1;
    return result;
  } catch (fault) {
    console.error(stage.watcher.log());
    throw fault;
  } finally {
    await stage.stop();
  }
}

interface Run {
  readonly random: Random;
  readonly sent: SentDeposit[];
  readonly size: (typeof SIZES)['full'];
}

/** Mines deposits, with kills, reorganizations and lies spread over the run. */
async function disturbedBlocks(stage: DrillStage, { random, sent, size }: Run) {
  const { chain, proxies } = stage;
  const rounds = Math.ceil(size.deposits / DEPOSITS_PER_BLOCK);
  const done = { kills: 0, reorgs: 0 };
  let restarting: Promise<void> = Promise.resolve();
  for (const proxy of proxies) proxy.setFaults(FAULTS);
  for (let round = 1; round <= rounds; round += 1) {
    for (let one = 0; one < DEPOSITS_PER_BLOCK && sent.length < size.deposits; one += 1) {
      sent.push(await sendDeposit(stage, KINDS[sent.length % KINDS.length], random));
    }
    await chain.mine();
    if (isDue(round, rounds, size.reorgs, done.reorgs)) {
      await chain.reorganize(random.between(1, FINAL_AFTER - 1));
      done.reorgs += 1;
    }
    if (isDue(round, rounds, size.kills, done.kills)) {
      await restarting;
      restarting = killAndRestart(stage, VICTIMS[done.kills % VICTIMS.length]);
      done.kills += 1;
    }
    if (sumOf(stage, 'lie') < (size.lies * round) / rounds) await lie(stage, random);
  }
  await restarting;
  // The last lies need the watcher.
  while (sumOf(stage, 'lie') < size.lies) await lie(stage, random);
  return done;
}

function isDue(round: number, rounds: number, wanted: number, done: number): boolean {
  return done < Math.floor((round * wanted) / rounds);
}

async function killAndRestart(
  { dispatcher, sandbox, watcher }: DrillStage,
  victim: (typeof VICTIMS)[number],
): Promise<void> {
  if (victim === 'postgres') {
    await sandbox.postgres.kill('SIGKILL');
    await sandbox.postgres.start();
    return;
  }
  const service = victim === 'watcher' ? watcher : dispatcher;
  await service.kill('SIGKILL');
  await service.start();
}

/** One node lies about one method until it was asked once, with a block to ask about. */
async function lie({ chain, proxies }: DrillStage, random: Random): Promise<void> {
  const proxy = random.pick(proxies);
  const before = proxy.counts.lie;
  proxy.lieAbout(random.pick(LIED_METHODS));
  await chain.mine();
  await waitUntil({
    what: 'the node lied, or was not asked',
    timeoutMs: LIE_MS,
    question: () => proxy.counts.lie > before,
  }).catch(() => {});
  proxy.lieAbout();
}

/** A method that is asked only about deposits might not be asked in this time. */
const LIE_MS = 400;

/** Ends all faults, makes every deposit final, and waits until all of them are credited. */
async function calm(stage: DrillStage): Promise<void> {
  const { chain, proxies, sandbox } = stage;
  for (const proxy of proxies) {
    proxy.setFaults({});
    proxy.lieAbout();
  }
  await chain.mine(FINAL_AFTER);
  const final = (await chain.height()) - FINAL_AFTER;
  await waitUntil({
    what: `block ${final} is recorded`,
    timeoutMs: CAUGHT_UP_WITHIN_MS,
    question: async () => {
      const text = 'select height, halted_reason from custody_networks where network = $1';
      const [row] = (await sandbox.admin.registry.query(text, [NETWORK])).rows;
      if (row.halted_reason !== null) throw new Error(`halted: ${row.halted_reason}`);
      return Number(row.height) === final;
    },
  });
  await waitUntil({
    what: 'all credits have an outcome',
    timeoutMs: CAUGHT_UP_WITHIN_MS,
    question: async () => {
      const text = `select from outbox where state = 'waiting' union all
        select from deposit_requests where state = 'crediting'`;
      return (await sandbox.admin.registry.query(text)).rows.length === 0;
    },
  });
  const { frame } = (await sandbox.admin.registry.query('select max(frame) as frame from outbox'))
    .rows[0];
  await sandbox.admin.waitUntilProjected(Number(frame ?? 0));
}

/** Returns whether the network halted and credited nothing afterwards. */
async function reorganizeBelowFinality(
  stage: DrillStage,
  credited: number,
  { random, sent }: Pick<Run, 'random' | 'sent'>,
): Promise<boolean> {
  const { chain, sandbox } = stage;
  await chain.reorganize(DEEP_REORG);
  await waitUntil({
    what: 'the network halts',
    timeoutMs: HALTED_WITHIN_MS,
    question: async () => {
      const text = 'select halted_reason from custody_networks where network = $1';
      const [row] = (await sandbox.admin.registry.query(text, [NETWORK])).rows;
      if (row.halted_reason !== null) console.log(row.halted_reason);
      return row.halted_reason !== null;
    },
  });
  const height = await cursorOf(stage);
  await sendDeposit(stage, 'native', random);
  await chain.mine(FINAL_AFTER * 3);
  // A restarted watcher stays halted.
  await killAndRestart(stage, 'watcher');
  const after = await judge(stage, sent);
  return after.credited === credited && (await cursorOf(stage)) === height;
}

async function cursorOf({ sandbox }: DrillStage): Promise<number> {
  const text = 'select height from custody_networks where network = $1';
  return Number((await sandbox.admin.registry.query(text, [NETWORK])).rows[0].height);
}

function sumOf({ proxies }: DrillStage, fault: 'lie' | 'lose answer' | 'lose call'): number {
  return proxies.reduce((sum, { counts }) => sum + counts[fault], 0);
}

function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 1_000);
}
