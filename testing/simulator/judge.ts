// Checks a finished schedule against a separate replay of the logs: the outcomes that clients
// received, the chain, the events, the snapshots and every living replica.

import { FRAME_HASH_BYTES } from '../../core/messages/index.ts';
import { decodeEventBatch } from '../../infra/journal/index.ts';
import type { Replica } from '../../infra/replica/index.ts';
import type { SentCommand } from './client-host.ts';
import { judgeLaterTrades } from './mixed-releases.ts';
import { StraightReplay } from './straight-replay.ts';
import { GENESIS_BEFORE, type World } from './world.ts';

/** Correct clocks differ by up to a second and are adjusted gradually. */
const AHEAD_MS_MAX = 1_300;
/** Late messages make other clocks appear to be behind. */
const BEHIND_MS_MAX = 4_000;

/** Adds violations to the world. */
export function judge(world: World): void {
  const replicas = livingReplicas(world);
  const snapshots = world.snapshots.counted();
  const hashed = new Set([
    ...replicas.map(({ replica }) => replica.sequence),
    ...snapshots.map(({ info }) => info.sequence),
  ]);
  const replay = new StraightReplay(GENESIS_BEFORE, hashed, world.release);
  try {
    for (let at = 1; at <= world.commands.last; at++) replay.apply(world.commands.message(at));
    world.release.engine.auditExchange(replay.exchange);
  } catch (fault) {
    world.violate(`the log cannot be replayed: ${fault}`);
    return;
  }
  judgeWriters(world, replay);
  judgeTimes(world, replay);
  for (const client of [...world.clients, world.operator, world.prober]) {
    for (const sent of client.sent) judgeOutcome(world, replay, sent);
  }
  for (const [name, { applications }] of replay.histories) {
    if (applications !== 1) world.violate(`${name} was applied ${applications} times`);
  }
  judgeEvents(world, replay);
  for (const { name, replica } of replicas) judgeReplica(world, replay, name, replica);
  judgeSnapshots(world, replay);
  judgeSwitches(world, replay);
  judgeLaterTrades(world, replay);
}

/** An outage of the exchange must not fire the switch of a client that keeps arming it. */
function judgeSwitches(world: World, { fired }: StraightReplay): void {
  const { live } = world;
  if (live === undefined || world.plan.rulesVersion < 2) return;
  world.count('live_switches');
  const wrong = fired.find(({ timeMs, user }) => user === live.user && timeMs < live.untilMs);
  if (wrong === undefined) return;
  const { timeMs } = wrong;
  world.violate(`the switch of a live client fired at ${world.time.nowMs() - timeMs} ms`);
}

function livingReplicas(world: World): { name: string; replica: Replica }[] {
  return [...world.sequencers, world.snapshotter].flatMap(({ machine, replica }) =>
    replica === undefined ? [] : [{ name: machine.name, replica }],
  );
}

/** Each epoch has one writer, and no other process reported to lead it. */
function judgeWriters(world: World, replay: StraightReplay): void {
  const writers = new Map<number, string>();
  for (let sequence = 1; sequence <= replay.last; sequence++) {
    const epoch = replay.milestone(sequence)?.epoch ?? 0;
    const writer = world.writers.get(sequence) ?? 'unknown';
    const first = writers.get(epoch) ?? writer;
    writers.set(epoch, first);
    if (first !== writer) world.violate(`epoch ${epoch} was written by ${first} and ${writer}`);
  }
  for (const [epoch, leaders] of world.leaders) {
    if (leaders.size > 1) world.violate(`epoch ${epoch} was led by ${[...leaders].join(' and ')}`);
  }
}

/** Frames show the correct time even if one clock in the world is wrong. */
function judgeTimes(world: World, replay: StraightReplay): void {
  for (let sequence = 1; sequence <= replay.last; sequence++) {
    const timeMs = replay.milestone(sequence)?.timeMs ?? 0;
    const aheadMs = Math.round(timeMs - (world.storedMs.get(sequence) ?? 0));
    if (aheadMs > AHEAD_MS_MAX) {
      world.violate(`the time of frame ${sequence} is ${aheadMs} ms ahead`);
      return;
    }
    // At most two frames are in flight, so this frame was created after that one was stored.
    const behindMs = Math.round((world.storedMs.get(sequence - 2) ?? 0) - timeMs);
    if (behindMs > BEHIND_MS_MAX) {
      world.violate(`the time of frame ${sequence} is ${behindMs} ms behind`);
      return;
    }
  }
}

function judgeOutcome(world: World, replay: StraightReplay, sent: SentCommand): void {
  const { name, outcome } = sent;
  const history = replay.histories.get(name);
  if (outcome?.kind === 'not_taken' && history !== undefined) {
    world.violate(`${name} was not taken (${outcome.reason}), but is command ${history.command}`);
  }
  if (outcome?.kind !== 'answered') return;
  const { command, eventsAt, eventsEnd, hasAllEvents, message, refusal } = outcome.result;
  if (history === undefined) {
    world.violate(`${name} was answered as command ${command}, but is not in the log`);
    return;
  }
  if (history.command !== command || history.refusal !== refusal) {
    const truth = `${history.refusal} as command ${history.command}`;
    world.violate(`${name} got ${refusal} as command ${command}, but the log has ${truth}`);
  }
  if (!hasAllEvents) return;
  const seen = message.subarray(eventsAt, eventsEnd);
  if (Buffer.compare(seen, replay.eventBytesOf(command)) !== 0) {
    world.violate(`${name} was answered with wrong events`);
  }
}

/** The EVENTS log equals the events of the replay, without gaps or repeats, in one chain. */
function judgeEvents(world: World, replay: StraightReplay): void {
  const { events } = world;
  let hash: Uint8Array = new Uint8Array(FRAME_HASH_BYTES);
  let next = 1;
  for (let at = 1; at <= events.last; at++) {
    const batch = decodeEventBatch(events.message(at));
    if (Buffer.compare(batch.previousHash, hash) !== 0) {
      world.violate(`event batch ${at} does not continue the previous one`);
    }
    hash = batch.hash;
    for (const { bytes, isLast, part, sequence } of batch.parts) {
      const isNext = sequence === next && part === 0 && isLast;
      if (!isNext) world.violate(`event batch ${at} has frame ${sequence} instead of ${next}`);
      const expected = replay.eventFrames[sequence - 1];
      if (expected === undefined || Buffer.compare(bytes, expected) !== 0) {
        world.violate(`the stored events of frame ${sequence} are wrong`);
      }
      next = sequence + 1;
    }
  }
  if (next <= replay.last) world.violate(`the EVENTS log ends at ${next - 1} of ${replay.last}`);
}

function judgeReplica(world: World, replay: StraightReplay, name: string, replica: Replica): void {
  const { sequence } = replica;
  if (sequence === 0) return;
  const milestone = replay.milestone(sequence);
  if (milestone === undefined) {
    world.violate(`${name} is at frame ${sequence}, which is not in the log`);
    return;
  }
  const frameHash = Buffer.from(replica.frameHash).toString('hex');
  if (frameHash !== milestone.frameHash) world.violate(`${name} has a different frame ${sequence}`);
  if (replica.stateHash() !== milestone.stateHash) {
    world.violate(`${name} has a different state at frame ${sequence}`);
  }
}

function judgeSnapshots(world: World, replay: StraightReplay): void {
  for (const { bytes, info } of world.snapshots.counted()) {
    const milestone = replay.milestone(info.sequence);
    const { hashExchange, restoreExchange } = world.release.engine;
    const stateHash = hashExchange(restoreExchange(bytes));
    const isSound =
      milestone !== undefined &&
      info.frameHash === milestone.frameHash &&
      info.epoch === milestone.epoch &&
      info.commandsApplied === milestone.commandsApplied &&
      info.stateHash === milestone.stateHash &&
      stateHash === milestone.stateHash &&
      info.frameHash.length === 2 * FRAME_HASH_BYTES;
    if (!isSound) world.violate(`snapshot ${info.sequence} does not hold the state at its frame`);
  }
}
