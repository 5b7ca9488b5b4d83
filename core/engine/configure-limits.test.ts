// Raising a limit at run time grows the stores. Nothing else may change: neither the state nor any
// later event.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, type FlowName, recordFrames } from '../../testing/flows/index.ts';
import {
  CAPACITY_MAX,
  type Command,
  type CommandFrame,
  INITIAL_LIMITS,
  LIMIT_NAMES,
  type Limits,
} from '../messages/index.ts';
import { applyFrame } from './apply-frame.ts';
import { auditExchange } from './audit.ts';
import { createExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';
import { restoreExchange } from './restore.ts';
import { hashExchange, snapshotExchange } from './snapshot.ts';

const COMMANDS = 2_200;
/** Late enough that the command window has begun to forget. */
const RAISED_AFTER = 1_500;

/** A larger window forgets less, starting with the command that raises it. */
const WINDOWS: ReadonlySet<keyof Limits> = new Set(['commandWindow', 'clientOrderIdWindow']);

function settingLimits(limits: Limits): Command {
  return { kind: 'SetLimits', source: 77, number: 1, ...limits };
}

/** The frames of the flow; the frame that passes RAISED_AFTER ends with SetLimits. */
function recorded(flow: FlowName): { frames: CommandFrame[]; raisedAt: number } {
  const exchange = createExchange();
  const frames: CommandFrame[] = [];
  let raisedAt = -1;
  recordFrames({
    flow,
    seed: chosenSeed(),
    commands: COMMANDS,
    apply: (frame) => {
      let applied = frame;
      if (raisedAt < 0 && exchange.commandsApplied >= RAISED_AFTER) {
        raisedAt = frames.length;
        applied = withLimits(frame, exchange.limits);
      }
      frames.push(applied);
      return applyFrame(exchange, applied);
    },
  });
  return { frames, raisedAt };
}

function withLimits(frame: CommandFrame, limits: Limits): CommandFrame {
  const commands = frame.commands.filter(({ kind }) => kind !== 'SetLimits');
  return { ...frame, commands: [...commands, settingLimits(limits)] };
}

/** The state as it would be with these limits. */
function hashWith(exchange: Exchange, limits: Limits): string {
  return hashExchange(restoreExchange(snapshotExchange(exchange), limits));
}

/** The numbers of the remembered commands, oldest first. */
function windowOf({ window }: Exchange): number[] {
  return Array.from({ length: window.size }, (_, age) => window.command(window.fromOldest(age)));
}

for (const flow of ['calm', 'cancelling'] as const) {
  const { frames, raisedAt } = recorded(flow);
  for (const name of LIMIT_NAMES) {
    // This flow repeats commands at the edge of the window, so the size of the window matters.
    if (flow === 'cancelling' && WINDOWS.has(name)) continue;
    test(`${name} is raised in the middle of ${flow}, and nothing else changes`, () => {
      const plain = createExchange();
      const raised = createExchange();
      for (const frame of frames.slice(0, raisedAt)) {
        applyFrame(plain, frame);
        applyFrame(raised, frame);
      }
      const limits = { ...raised.limits, [name]: Math.min(raised.limits[name] * 3, CAPACITY_MAX) };
      applyFrame(plain, frames[raisedAt]);
      const seen = applyFrame(raised, withLimits(frames[raisedAt], limits));
      const { command: _, kind, ...set } = seen.events.at(-1)!;
      assert.deepEqual({ kind, ...set }, { kind: 'LimitsSet', ...limits });
      assert.deepEqual(raised.limits, limits);
      const isSame = () => hashExchange(raised) === hashWith(plain, limits);
      if (!WINDOWS.has(name)) assert.ok(isSame(), 'the same state when raised');
      auditExchange(raised);

      for (const frame of frames.slice(raisedAt + 1)) {
        assert.deepEqual(applyFrame(raised, frame), applyFrame(plain, frame));
      }
      auditExchange(raised);
      if (!WINDOWS.has(name)) assert.ok(isSame(), 'the same state at the end');
      assert.deepEqual(windowOf(raised).slice(-plain.window.size), windowOf(plain));
    });
  }
}

test('only work limits and user shares can be reduced', () => {
  const mayShrink = LIMIT_NAMES.filter((name) => {
    const exchange = createExchange();
    const limits = { ...INITIAL_LIMITS, [name]: INITIAL_LIMITS[name] - 1 };
    const [event] = applyFrame(exchange, frameOf(limits)).events;
    if (event.kind === 'LimitsSet') return true;
    assert.equal(event.kind === 'CommandRefused' && event.refusal, 'limits_must_not_shrink');
    assert.deepEqual(exchange.limits, INITIAL_LIMITS);
    return false;
  });
  assert.deepEqual(mayShrink, [
    'fillsPerCommandMax',
    'stopsPerStepMax',
    'switchesPerFrameMax',
    'bandWindowMs',
    'accountsPerUserMax',
    'stopsPerUserMax',
    'withdrawalsPerUserMax',
    'deadManSwitchesPerUserMax',
    'clientOrderIdsPerUserMax',
    'ownOrdersPerCommandMax',
  ]);
});

test('every limit is a whole number of at least one, within its bounds', () => {
  for (const name of LIMIT_NAMES) {
    for (const value of [0, -1, 1.5, Number.NaN, 86_400_001]) {
      const exchange = createExchange();
      const [event] = applyFrame(exchange, frameOf({ ...INITIAL_LIMITS, [name]: value })).events;
      const refusal = event.kind === 'CommandRefused' ? event.refusal : event.kind;
      assert.equal(refusal, 'limits_out_of_range', `${name} of ${value}`);
    }
  }
});

function frameOf(limits: Limits): CommandFrame {
  const head = { sequence: 1, epoch: 1, timeMs: 1 as never, previousHash: new Uint8Array(32) };
  return { ...head, commands: [settingLimits(limits)] };
}

test('growth keeps open withdrawals and frozen channels', () => {
  const exchange = createExchange();
  const { users } = exchange;
  const slot = users.findOrAdd(5 as never);
  users.setWithdrawalsOpen(slot, 3);
  users.setAccountsOpen(slot, 2);
  exchange.channelSequences[16] = 7;
  exchange.channelsFrozenBy[16] = 9;
  const limits = { ...INITIAL_LIMITS, usersMax: 2_000, channelsMax: 20 };
  const [event] = applyFrame(exchange, frameOf(limits)).events;
  assert.equal(event.kind, 'LimitsSet');
  assert.deepEqual([users.withdrawalsOpen(slot), users.accountsOpen(slot)], [3, 2]);
  assert.deepEqual([...exchange.channelSequences.subarray(16)], [7, 0, 0, 0, 0]);
  assert.deepEqual([...exchange.channelsFrozenBy.subarray(16)], [9, 0, 0, 0, 0]);
});
