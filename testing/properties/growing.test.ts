// A growing store keeps every record: an exchange whose capacities are raised while it runs equals
// one restored from a snapshot with the larger capacities, with the same events and bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  applyFrame,
  auditExchange,
  createExchange,
  type Exchange,
  restoreExchange,
  snapshotExchange,
  wakesAtMs,
} from '../../core/engine/index.ts';
import { CAPACITY_MAX, type CommandFrame, type Limits } from '../../core/messages/index.ts';
import { chosenSeed, FLOW_NAMES, type FlowName, recordFrames } from '../flows/index.ts';

const RUNS_PER_FLOW = 2;
const COMMANDS = 2_500;
/** The filling flow takes long to reach its limits. */
const FILLING = { runs: 1, commands: 11_000 };
const OPERATOR = 77;

const CAPACITIES = [
  'assetsMax',
  'marketsMax',
  'usersMax',
  'accountsMax',
  'ordersMax',
  'channelsMax',
  'commandWindow',
  'clientOrderIdWindow',
] as const;

/** Position in the flow, and which capacities to raise (one bit each). */
interface Raise {
  readonly place: number;
  readonly bits: number;
}

const anyRaise = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  bits: fc.integer({ min: 1, max: 2 ** CAPACITIES.length - 1 }),
});

for (const flow of FLOW_NAMES) {
  test(`an exchange that grows equals one restored with larger capacities, under ${flow}`, () => {
    const raises = fc.array(anyRaise, { minLength: 1, maxLength: 6 });
    const property = fc.property(fc.nat(), raises, (seed, some) =>
      growWhileRunning(flow, seed, some),
    );
    const numRuns = flow === 'filling' ? FILLING.runs : RUNS_PER_FLOW;
    fc.assert(property, { numRuns, seed: chosenSeed() % 2 ** 31, endOnFailure: true });
  });
}

function growWhileRunning(flow: FlowName, seed: number, raises: readonly Raise[]): void {
  const grown = createExchange();
  let restored = createExchange();
  let raised = 0;
  const apply = (frame: Omit<CommandFrame, 'sequence'>) => {
    const sequence = grown.sequence + 1;
    const events = applyFrame(grown, { ...frame, sequence });
    assert.deepEqual(applyFrame(restored, { ...frame, sequence }), events, `frame ${sequence}`);
    return events;
  };
  const commands = flow === 'filling' ? FILLING.commands : COMMANDS;
  const due = [...raises].sort((one, other) => one.place - other.place);
  recordFrames({
    flow,
    seed,
    commands,
    apply: (frame) => {
      const [next] = due;
      // Restored before the frame, so only the command itself must happen in that frame.
      const isQuiet = wakesAtMs(grown) > grown.timeMs;
      if (next !== undefined && isQuiet && grown.commandsApplied >= next.place * commands) {
        due.shift();
        const limits = raisedLimits(grown, next);
        restored = restoreExchange(snapshotExchange(restored), limits);
        apply({ ...frame, timeMs: grown.timeMs, commands: [settingLimits(limits, ++raised)] });
        assert.deepEqual(snapshotExchange(grown), snapshotExchange(restored));
        auditExchange(grown);
      }
      return { ...apply(frame), sequence: frame.sequence };
    },
  });
  auditExchange(grown);
  assert.deepEqual(snapshotExchange(grown), snapshotExchange(restored));
}

function raisedLimits({ limits }: Exchange, { bits, place }: Raise): Limits {
  const raised = { ...limits };
  for (const [index, name] of CAPACITIES.entries()) {
    const isRaised = (bits & (1 << index)) !== 0;
    const more = 1 + Math.floor(place * 100);
    if (isRaised) raised[name] = Math.min(raised[name] + more, CAPACITY_MAX);
  }
  return raised;
}

function settingLimits(limits: Limits, number: number) {
  return { kind: 'SetLimits', source: OPERATOR, number, ...limits } as const;
}
