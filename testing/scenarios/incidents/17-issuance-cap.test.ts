// Incident 17, Bithumb 2026: a payout in the wrong unit credited coins that did not exist. Here no
// command can create more of an asset than its cap, or pay out more than the payer's balance.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsOf, applyFrame, createExchange } from '../../../core/engine/index.ts';
import { type Event, EXTERNAL_OWNER } from '../../../core/messages/index.ts';
import { FLOWS } from '../../flows/index.ts';
import { drive, openScripted } from './scripted-exchange.ts';

test('incident 17: the supply of an asset never exceeds its cap, whatever is minted', () => {
  const exchange = createExchange();
  const capAtoms = new Map<number, bigint>();
  let refusals = 0;
  const see = (event: Event) => {
    if (event.kind === 'AssetListed' || event.kind === 'IssuanceCapSet') {
      capAtoms.set(event.asset, event.issuanceCapAtoms);
    }
    if (event.kind === 'CommandRefused' && event.refusal === 'issuance_cap_exceeded') refusals += 1;
  };
  drive(FLOWS.adversarial(17), 1_000, (frame) => {
    const events = applyFrame(exchange, frame);
    events.events.forEach(see);
    for (const { owner, asset, availableAtoms } of accountsOf(exchange)) {
      if (owner === EXTERNAL_OWNER) assert.ok(-availableAtoms <= capAtoms.get(asset)!);
    }
    return events;
  });
  assert.ok(refusals > 20, `the cap was met only ${refusals} times`);
});

test('incident 17: a payout in the wrong unit cannot exceed the balance of the payer', () => {
  const { apply } = openScripted(['alice has 620,000 usdt and 175 btc'], ['alice', 'bob']);
  const refusalOf = (sentence: string) =>
    apply(sentence).find((event) => event.kind === 'CommandRefused')?.refusal;
  assert.equal(refusalOf('alice sends 620,000 btc to bob'), 'available_balance_too_small');
  assert.equal(refusalOf('operator mints 21,000,000 btc for bob'), 'issuance_cap_exceeded');
  assert.equal(refusalOf('alice sends 620,000 usdt to bob'), undefined);
});
