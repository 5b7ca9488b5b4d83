// Together the flows reach every rejection, every close reason and every kind of event, so a
// comparison of two exchanges under them exercises each rule. The exceptions are listed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLOSE_REASONS, type Event, REFUSALS } from '../../core/messages/index.ts';
import { createReferenceExchange } from '../reference-models/index.ts';
import { drive, FLOW_NAMES } from './index.ts';

// Fixed and independent of RIALTO_SEED, because the test is about the reach of the flows.
const SEED = 1;
const COMMANDS_PER_FLOW = 20_000;

const ONLY_WITH_POISON = new Set(['command_is_poisoned', 'market_is_frozen', 'channel_is_frozen']);
const ONLY_IN_REPEATS = new Set(['none']);
// The flows use the newest rules, which amend waiting stops.
const ONLY_WITH_OLD_RULES = new Set(['waiting_stop_cannot_be_amended']);

const KINDS: Record<Exclude<Event['kind'], 'CommandPoisoned' | 'CommandVoided'>, true> = {
  CommandRefused: true,
  CommandRepeated: true,
  OrderPlaced: true,
  OrderTriggered: true,
  TradeExecuted: true,
  OrderAmended: true,
  OrderClosed: true,
  DeadManSwitchSet: true,
  DeadManSwitchFired: true,
  DepositCredited: true,
  AssetMinted: true,
  AssetBurned: true,
  AssetTransferred: true,
  WithdrawalOpened: true,
  WithdrawalCompleted: true,
  WithdrawalCanceled: true,
  FeesSettled: true,
  AssetListed: true,
  IssuanceCapSet: true,
  MarketListed: true,
  MarketStatusSet: true,
  MarketFeesSet: true,
  UserFeesSet: true,
  UserGroupSet: true,
  PriceBandSet: true,
  LimitsSet: true,
  AuditAnchored: true,
  BandReferenceMoved: true,
  RulesVersionSet: true,
  AuctionPriceSet: true,
};

test('the flows reach every event, every rejection and every close reason', () => {
  const kinds = new Set<string>();
  const refusals = new Set<string>();
  const reasons = new Set<string>();
  for (const flow of FLOW_NAMES) {
    const { apply } = createReferenceExchange();
    for (const { seen } of drive({ flow, seed: SEED, commands: COMMANDS_PER_FLOW, apply })) {
      for (const event of seen.events) {
        kinds.add(event.kind);
        if (event.kind === 'CommandRefused') refusals.add(event.refusal);
        if (event.kind === 'OrderClosed') reasons.add(event.reason);
      }
    }
  }
  const exceptions = [ONLY_WITH_POISON, ONLY_WITH_OLD_RULES, ONLY_IN_REPEATS];
  const isExpected = (word: string) => !exceptions.some((words) => words.has(word));
  assert.deepEqual(
    REFUSALS.filter((word) => isExpected(word) && !refusals.has(word)),
    [],
  );
  assert.deepEqual(
    CLOSE_REASONS.filter((word) => !reasons.has(word)),
    [],
  );
  assert.deepEqual(
    Object.keys(KINDS).filter((kind) => !kinds.has(kind)),
    [],
  );
});

test('a flow with the same seed sends the same frames', () => {
  for (const flow of FLOW_NAMES) {
    const [one, other] = [createReferenceExchange(), createReferenceExchange()];
    const first = drive({ flow, seed: SEED, commands: 1_500, apply: one.apply });
    const second = drive({ flow, seed: SEED, commands: 1_500, apply: other.apply });
    for (const { frame } of first) assert.deepEqual(second.next().value?.frame, frame);
  }
});
