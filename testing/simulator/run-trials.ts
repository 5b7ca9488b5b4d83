// Runs the trials of a schedule and checks each while it happens: the time without an answer,
// whether the leader stays, and the readiness that it reports.

import type { Plan } from './plan.ts';
import type { SequencerHost } from './sequencer-host.ts';
import { TRIAL_NAMES, TRIALS, type Trial, type TrialName } from './trials.ts';
import type { World } from './world.ts';

const PROBE_EVERY_MS = 50;
/** A live client arms its switch this often, with this timeout. */
const LIVE_USER = 900;
const ARM_EVERY_MS = 200;
const ARMED_MS = 2_500;
/** Everything must work again this long after a fault. */
const RECOVERY_MS = 1_200;
const READY_MS_MAX = 8_000;
/** Long durations are rare, because they are slow to simulate. */
const DURATIONS_MS_MAX = [400, 400, 400, 400, 1_000, 1_000, 1_000, 3_000, 3_000, 20_000];
const STEP_MS = 20;
/** By then, a leader has noticed that the log does not respond. */
const NOTICED_MS = 600;

export function runTrials(world: World): void {
  const probe = new Probe(world);
  for (const name of trialsOf(world.plan)) {
    if (!untilReady(world, probe)) {
      world.violate(`not ready for the trial ${name}`);
      return;
    }
    runTrial(world, probe, name);
    if (world.violations.length > 0) return;
  }
  probe.stop();
}

function trialsOf({ trials }: Plan): TrialName[] {
  return trials.map((number) => TRIAL_NAMES[number % TRIAL_NAMES.length]);
}

/** Auctions would hide what trials and other releases check. */
export function hasAuctions({ auctionStep, otherRelease, trials }: Plan): boolean {
  return auctionStep > 0 && otherRelease === undefined && trials.length === 0;
}

/** Returns whether a schedule has this trial, floods, auctions, or sequencers of this release. */
export function hasPart(plan: Plan, part: string): boolean {
  const { isFlooded, otherRelease, trials } = plan;
  if (part === 'auctions') return hasAuctions(plan) && plan.rulesVersion > 1;
  if (part === 'floods') return isFlooded && trials.length === 0 && otherRelease === undefined;
  if (otherRelease !== undefined) return otherRelease === part;
  return trialsOf(plan).some((trial) => trial === part);
}

function runTrial(world: World, probe: Probe, name: TrialName): void {
  const { random } = world;
  const trial: Trial = TRIALS[name];
  const leader = world.sequencers.find(({ isServing }) => isServing);
  const standby = world.sequencers.find(({ isLeading }) => !isLeading);
  if (leader === undefined || standby === undefined) return;
  const drawnMs = random.between(50, random.pick(DURATIONS_MS_MAX));
  const durationMs = Math.max(drawnMs, trial.leastMs ?? 0);
  world.count(`trial_${name}`);
  world.log(() => `trial: ${name} of ${leader.name} for ${durationMs} ms`);
  const epochs = world.leaders.size;
  const startMs = world.time.nowMs();
  const end = trial.begin({ world, random, leader, standby, durationMs });
  run(world, durationMs);
  const isNoticed = durationMs > NOTICED_MS;
  if (trial.isLogDead && isNoticed && world.sequencers.some(({ isServing }) => isServing)) {
    world.violate(`${name} for ${durationMs} ms: a leader reports that it is ready`);
  }
  end();
  world.log(() => `trial: ${name} ends`);
  run(world, RECOVERY_MS);
  const gapMs = Math.round(probe.longestGapMs(startMs));
  const allowedMs = trial.boundMs + (trial.isExcused ? durationMs : 0);
  if (gapMs > allowedMs) {
    const given = `${name} for ${durationMs} ms`;
    world.violate(`${given}: no answer for ${gapMs} ms; the bound is ${allowedMs} ms`);
  }
  if (trial.keepsLeader && world.leaders.size !== epochs) {
    world.violate(`${name} for ${durationMs} ms: the leader was replaced`);
  }
  world.longestGaps.set(name, Math.max(world.longestGaps.get(name) ?? 0, gapMs));
}

function run(world: World, forMs: number): void {
  world.time.runUntil(world.time.nowMs() + forMs);
}

/** Runs until one leader serves, the standbys follow, and the probe gets answers. */
function untilReady(world: World, probe: Probe): boolean {
  for (let spentMs = 0; spentMs < READY_MS_MAX; spentMs += STEP_MS) {
    run(world, STEP_MS);
    const { sequencers } = world;
    const isServed = sequencers.filter(({ isServing }) => isServing).length === 1;
    const isFollowed = sequencers.every((host) => host.isServing || isFollowing(host));
    if (isServed && isFollowed && probe.isAnswered) return true;
  }
  return false;
}

function isFollowing({ sequencer }: SequencerHost): boolean {
  return sequencer?.state === 'following';
}

/** Client that sends a command every few milliseconds and records when answers arrived. */
class Probe {
  readonly #world: World;
  readonly #answersMs: number[] = [];
  #isStopped = false;

  constructor(world: World) {
    this.#world = world;
    world.prober.start();
    this.#send();
    this.#arm();
  }

  get isAnswered(): boolean {
    const lastMs = this.#answersMs.at(-1) ?? Number.NEGATIVE_INFINITY;
    return this.#world.time.nowMs() - lastMs < 4 * PROBE_EVERY_MS;
  }

  stop(): void {
    this.#isStopped = true;
    this.#world.live = { user: LIVE_USER, untilMs: this.#world.time.nowMs() };
  }

  /** Returns the longest time without an answer after `sinceMs`. */
  longestGapMs(sinceMs: number): number {
    let beforeMs = sinceMs;
    let longestMs = 0;
    for (const answerMs of [...this.#answersMs, this.#world.time.nowMs()]) {
      if (answerMs <= sinceMs) continue;
      longestMs = Math.max(longestMs, answerMs - beforeMs);
      beforeMs = answerMs;
    }
    return longestMs;
  }

  #arm(): void {
    const { prober, time } = this.#world;
    if (this.#isStopped) return;
    prober.send({ kind: 'SetDeadManSwitch', user: LIVE_USER, key: 0, timeoutMs: ARMED_MS }, 2_000);
    time.after(ARM_EVERY_MS, () => this.#arm());
  }

  #send(): void {
    const { prober, time } = this.#world;
    if (this.#isStopped) return;
    prober.send(
      { kind: 'CancelOrder', user: 1, order: 1, byOperator: false },
      2_000,
      ({ kind }) => {
        if (kind === 'answered') this.#answersMs.push(time.nowMs());
      },
    );
    time.after(PROBE_EVERY_MS, () => this.#send());
  }
}
