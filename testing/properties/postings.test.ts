// Applying `postingsOf` to every event rebuilds the entire ledger: all accounts, to the atom. Every
// posting has a cause, and no cause ever credits a user twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Event, type Posting, postingsOf } from '../../core/messages/index.ts';
import { chosenSeed, drive, FLOW_NAMES } from '../flows/index.ts';
import { makeEngine, makeReference, sortedAccounts } from './tested-exchange.ts';

const seed = chosenSeed();

for (const flow of FLOW_NAMES) {
  test(`the events' postings rebuild the ledger under ${flow}, seed ${seed}`, () => {
    for (const exchange of [makeEngine(), makeReference()]) {
      const parts = new Map<string, bigint>();
      const creditedBy = new Map<string, Event>();
      const run = drive({ flow, seed, commands: 6_000, apply: exchange.apply });
      for (const { seen } of run) {
        for (const event of seen.events) {
          for (const posting of postingsOf(event)) {
            apply(parts, posting);
            checkCause(creditedBy, event, posting);
          }
        }
      }
      for (const { owner, asset, availableAtoms, heldAtoms } of sortedAccounts(exchange)) {
        assert.equal(take(parts, `${owner}/${asset}/available`), availableAtoms);
        assert.equal(take(parts, `${owner}/${asset}/held`), heldAtoms);
      }
      assert.deepEqual(
        [...parts],
        [],
        'no posting touches an account that the exchange does not have',
      );
    }
  });
}

function apply(parts: Map<string, bigint>, { asset, from, to, amountAtoms }: Posting): void {
  assert.ok(amountAtoms >= 1n, 'a posting moves at least one atom');
  const fromPart = `${from.owner}/${asset}/${from.part}`;
  const toPart = `${to.owner}/${asset}/${to.part}`;
  parts.set(fromPart, (parts.get(fromPart) ?? 0n) - amountAtoms);
  parts.set(toPart, (parts.get(toPart) ?? 0n) + amountAtoms);
}

function take(parts: Map<string, bigint>, part: string): bigint {
  const atoms = parts.get(part) ?? 0n;
  parts.delete(part);
  return atoms;
}

/** One event can credit in several postings; no other event can have the same cause. */
function checkCause(creditedBy: Map<string, Event>, event: Event, posting: Posting): void {
  const { cause, from, to } = posting;
  // Withdrawal numbers come from outside and can be 0.
  assert.ok(cause.kind === 'withdrawal' || cause.id > 0, `${event.kind} names no cause`);
  const isCredit = to.owner > 0 && from.owner !== to.owner;
  if (!isCredit) return;
  const name = `${cause.kind} ${cause.id}`;
  assert.equal(creditedBy.get(name) ?? event, event, `${name} credits twice`);
  creditedBy.set(name, event);
}
