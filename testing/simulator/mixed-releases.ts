// Sequencers of two releases in one exchange. A release with a rule behind the next rules version
// decides the same until that version is logged; after that, the other sequencers cannot lead. A
// release that changed a rule without a new version is detected as a standby and halts before it
// leads.

import { RULES_VERSION_MAX } from '../../core/messages/index.ts';
import { feeAtoms, type Ppm } from '../../core/money/index.ts';
import type { Outcome } from '../../infra/command-link/index.ts';
import { PRESENT, type Release } from './releases.ts';
import type { SequencerHost } from './sequencer-host.ts';
import { runUntil, settle } from './settle.ts';
import type { StraightReplay } from './straight-replay.ts';
import { TAKER_PPM } from './trading-commands.ts';
import type { World } from './world.ts';

const NEXT_RULES = RULES_VERSION_MAX + 1;
const ATTEMPTS_MAX = 4;
const AWAY_MS = 3_000;
const FOUND_MS_MAX = 20_000;
const TRADE_EVERY_MS = 40;
const ROUNDS = 6;

/** Runs the next release on one sequencer and the current release on the others, or the reverse. */
export function mixReleases(world: World, next: Release): void {
  const { random, sequencers, snapshotter } = world;
  const odd = random.pick(sequencers);
  const isOddNext = random.chance(50);
  for (const host of sequencers) host.release = (host === odd) === isOddNext ? next : PRESENT;
  snapshotter.release = next;
  world.release = next;
}

/** Raises the rules version; after that, only sequencers of the next release can lead. */
export function raiseRules(world: World): void {
  if (!untilAccepted(world)) world.violate('the next rules version was not accepted');
  if (world.violations.length > 0) return;
  tradeInRounds(world);
  const leader = world.living.find(({ isServing }) => isServing);
  leader?.crash(AWAY_MS / 4);
  world.run(AWAY_MS / 2);
  tradeInRounds(world);
  settle(world, 'after the rules change');
}

/** A leader that cannot run the version rejects it before it is logged; then another must lead. */
function untilAccepted(world: World): boolean {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (!runUntil(world, AWAY_MS, () => serving(world) !== undefined)) return false;
    const leader = serving(world);
    if (leader === undefined) return false;
    const canRun = leader.release !== PRESENT;
    if (canRun) switchRules(world);
    const outcome = ask(world);
    const isAccepted = outcome?.kind === 'answered' && outcome.result.refusal === 'none';
    if (isAccepted && canRun) return true;
    if (canRun || outcome?.kind !== 'not_taken') {
      world.violate(`the rules version sent to ${leader.incarnation} ended ${outcome?.kind}`);
      return true;
    }
    world.count('rules_refused');
    for (const host of world.sequencers) if (host.release === PRESENT) host.crash(AWAY_MS);
  }
  return false;
}

function serving({ sequencers }: World): SequencerHost | undefined {
  return sequencers.find(({ isServing }) => isServing);
}

function switchRules(world: World): void {
  world.count('rules_raised');
  const isOld = ({ release }: SequencerHost): boolean => release === PRESENT;
  world.mayHalt = ({ reason }, host) => isOld(host) && reason.includes('rules version');
  world.mayLead = (host) => !isOld(host);
}

function ask(world: World): Outcome | undefined {
  let outcome: Outcome | undefined;
  world.operator.send({ kind: 'SetRulesVersion', version: NEXT_RULES }, 4_000, (received) => {
    outcome = received;
  });
  runUntil(world, 5_000, () => outcome !== undefined);
  return outcome;
}

/** Under the next rules, takers pay two fees. */
export function judgeLaterTrades(world: World, { laterTrades }: StraightReplay): void {
  for (const { baseAtoms, quoteAtoms, takerFeeAtoms, takerSide, trade } of laterTrades) {
    world.count('trades_by_next_rules');
    const received = takerSide === 'sell' ? quoteAtoms : baseAtoms;
    const expected = 2n * feeAtoms(received, TAKER_PPM as Ppm);
    if (takerFeeAtoms === expected) continue;
    world.violate(`trade ${trade} has the fee ${takerFeeAtoms} instead of ${expected}`);
    return;
  }
}

/** A standby with different fee rounding halts and never leads. */
export function runCareless(world: World, careless: Release): void {
  const standby = world.sequencers.find(({ isLeading }) => !isLeading);
  if (standby === undefined) return;
  let isFound = false;
  world.mayLead = (host) => host !== standby;
  world.mayHalt = ({ reason }, host) => {
    isFound = host === standby && reason.includes('differ');
    // A supervisor does not restart a halted process.
    if (isFound) host.destroy();
    return isFound;
  };
  standby.release = careless;
  standby.crash(TRADE_EVERY_MS);
  for (let spentMs = 0; spentMs < FOUND_MS_MAX && !isFound; spentMs += TRADE_EVERY_MS) {
    for (const client of world.clients) client.trade(1);
    world.run(TRADE_EVERY_MS);
  }
  if (isFound) world.count('careless_found');
  else world.violate(`the careless release on ${standby.name} was not detected`);
  serving(world)?.crash();
  world.run(AWAY_MS / 2);
}

function tradeInRounds(world: World): void {
  for (let round = 0; round < ROUNDS; round++) {
    for (const client of world.clients) client.trade(2);
    world.run(TRADE_EVERY_MS);
  }
}
