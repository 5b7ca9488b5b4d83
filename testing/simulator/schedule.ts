// Runs one schedule from one seed. The exchange starts, and faults occur for some virtual seconds.
// Then everything must settle without faults, every client sends a last command, and judge.ts
// checks the result.

import { Auctioneer, auctionLimits } from './auctioneer.ts';
import { judge } from './judge.ts';
import { mixReleases, raiseRules, runCareless } from './mixed-releases.ts';
import { Nemesis } from './nemesis.ts';
import { loadRelease, PRESENT, type Release } from './releases.ts';
import { hasAuctions, runTrials } from './run-trials.ts';
import { runUntil, settle } from './settle.ts';
import { LISTINGS } from './trading-commands.ts';
import { World } from './world.ts';

const START_MS_MAX = 10_000;
const PROBE_MS_MAX = 5_000;
/** Longer than a takeover. */
const QUIET_MS = 600;
/** How often the operator checks for a frozen market. */
const OPERATOR_MS = 200;

export interface ScheduleResult {
  readonly seed: number;
  readonly violations: readonly string[];
  /** Commands sent by clients, and how many of them were answered from the log. */
  readonly commands: number;
  readonly answered: number;
  readonly frames: number;
  readonly counts: ReadonlyMap<string, number>;
  /** Longest time without an answer, by trial. */
  readonly longestGaps: ReadonlyMap<string, number>;
  readonly trace: readonly string[];
}

export async function runSchedule(options: {
  seed: number;
  isTraced: boolean;
}): Promise<ScheduleResult> {
  const world = new World(options);
  const { otherRelease } = world.plan;
  const release = otherRelease === undefined ? PRESENT : await loadRelease(otherRelease);
  try {
    play(world, release);
    if (world.violations.length === 0) judge(world);
  } catch (fault) {
    // An exception stops the process in production, and the schedule here.
    world.violate(`exception: ${fault instanceof Error ? fault.stack : fault}`);
  }
  const clients = [...world.clients, world.operator];
  return {
    seed: options.seed,
    violations: world.violations,
    commands: clients.reduce((sum, { sent }) => sum + sent.length, 0),
    answered: clients.reduce((sum, { sent }) => sum + sent.filter(isAnswered).length, 0),
    frames: world.commands.last,
    counts: world.counts,
    longestGaps: world.longestGaps,
    trace: world.trace ?? [],
  };
}

function isAnswered({ outcome }: { outcome: { kind: string } | undefined }): boolean {
  return outcome?.kind === 'answered';
}

function play(world: World, release: Release): void {
  const { otherRelease, trials } = world.plan;
  if (otherRelease === 'next') mixReleases(world, release);
  for (const host of world.sequencers)
    world.time.after(world.random.below(100), () => host.start());
  world.snapshotter.start();
  world.operator.start();
  openMarket(world);
  if (world.violations.length > 0) return;

  for (const client of world.clients) client.start();
  unfreezeLater(world);
  const nemesis = new Nemesis(world);
  if (otherRelease === 'careless') {
    runCareless(world, release);
  } else if (trials.length > 0) {
    runTrials(world);
  } else {
    const auctioneer = hasAuctions(world.plan) ? new Auctioneer(world) : undefined;
    auctioneer?.start();
    nemesis.start();
    world.run(world.plan.faultsMs);
    auctioneer?.stop();
  }
  nemesis.calm();

  settle(world, 'in time');
  if (world.violations.length > 0) return;
  keepLeader(world);
  if (otherRelease === 'next') raiseRules(world);
  if (world.violations.length > 0) return;
  probe(world);
  settle(world, 'after the last commands');
}

/** Sends the listings one after another; each must be accepted before faults begin. */
function openMarket(world: World): void {
  const { auctionStep } = world.plan;
  const listings = hasAuctions(world.plan) ? [...LISTINGS, auctionLimits(auctionStep)] : LISTINGS;
  let listed = 0;
  const next = (): void => {
    world.operator.send(listings[listed], START_MS_MAX, (outcome) => {
      const isAccepted = outcome.kind === 'answered' && outcome.result.refusal === 'none';
      if (!isAccepted) world.violate(`listing ${listed} was not accepted: ${outcome.kind}`);
      else if (++listed < listings.length) next();
    });
  };
  next();
  const isOpen = runUntil(world, START_MS_MAX, () => listed === listings.length);
  if (!isOpen) world.violate('the exchange did not start');
}

/** Voids poison commands and reopens the market. */
function unfreezeLater(world: World): void {
  world.time.after(OPERATOR_MS, () => {
    const leader = world.sequencers.find(({ isServing }) => isServing);
    const market = leader?.replica?.exchange.markets[0];
    if (market !== undefined && market.frozenBy !== 0) {
      const { frozenBy } = market;
      world.operator.send({ kind: 'VoidCommand', command: frozenBy }, 2_000);
      world.operator.send(
        { kind: 'SetMarketStatus', market: 1, status: 'full', auctionEndsMs: 0 },
        2_000,
      );
    }
    unfreezeLater(world);
  });
}

/** Nothing happens, so no standby must take over. */
function keepLeader(world: World): void {
  const epochs = world.leaders.size;
  world.run(QUIET_MS);
  if (world.leaders.size !== epochs) world.violate('the leader was replaced for no reason');
}

/** Every client sends a last command, which must be answered. */
function probe(world: World): void {
  const clients = [...world.clients, world.operator];
  let answered = 0;
  for (const client of clients) {
    client.send({ kind: 'CancelOrder', user: 1, order: 1, byOperator: false }, 4_000, (outcome) => {
      if (outcome.kind === 'answered') answered++;
      else world.violate(`the last command of ${client.name} ended ${outcome.kind}`);
    });
  }
  const isDone = runUntil(world, PROBE_MS_MAX, () => answered === clients.length);
  if (!isDone) world.violate('the last commands were not answered');
}
