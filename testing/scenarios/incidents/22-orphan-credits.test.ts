// Incident 22, opentrade 2019: balances were added with no deposit behind them. Here every credit
// has a cause, and the causes alone produce every balance.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsOf, applyFrame, createExchange } from '../../../core/engine/index.ts';
import {
  type Event,
  EXTERNAL_OWNER,
  type Posting,
  postingsOf,
} from '../../../core/messages/index.ts';
import { FLOW_NAMES, FLOWS } from '../../flows/index.ts';
import { drive } from './scripted-exchange.ts';

const ONCE_ONLY = new Set(['deposit', 'mint', 'burn', 'transfer', 'fee_settlement', 'trade']);

/** Balances derived only from events: part of account to atoms. */
class Books {
  readonly atoms = new Map<string, bigint>();
  readonly #causes = new Set<string>();

  post(event: Event): void {
    const postings = postingsOf(event);
    const causes = new Set(postings.map(({ cause }) => `${cause.kind} ${cause.id}`));
    for (const posting of postings) this.#move(posting);
    for (const cause of causes) {
      if (!ONCE_ONLY.has(cause.split(' ')[0])) continue;
      assert.ok(!this.#causes.has(cause), `${cause} moved money twice`);
      this.#causes.add(cause);
    }
  }

  #move({ asset, from, to, amountAtoms, cause }: Posting): void {
    assert.ok(amountAtoms > 0n, 'a posting moves something');
    if (from.owner === EXTERNAL_OWNER) {
      assert.ok(cause.kind === 'deposit' || cause.kind === 'mint', `${cause.kind} made money`);
    }
    const add = (key: string, change: bigint) =>
      this.atoms.set(key, (this.atoms.get(key) ?? 0n) + change);
    add(`${from.owner} ${asset} ${from.part}`, -amountAtoms);
    add(`${to.owner} ${asset} ${to.part}`, amountAtoms);
  }
}

for (const name of FLOW_NAMES) {
  test(`incident 22: the causes in the ${name} flow explain every balance, without orphans`, () => {
    const exchange = createExchange();
    const books = new Books();
    drive(FLOWS[name](22), 80, (frame) => {
      const events = applyFrame(exchange, frame);
      for (const event of events.events) books.post(event);
      return events;
    });
    for (const { owner, asset, availableAtoms, heldAtoms } of accountsOf(exchange)) {
      for (const [part, atoms] of [
        ['available', availableAtoms] as const,
        ['held', heldAtoms] as const,
      ]) {
        const key = `${owner} ${asset} ${part}`;
        assert.equal(books.atoms.get(key) ?? 0n, atoms, `an orphan in ${key}`);
        books.atoms.delete(key);
      }
    }
    const unknown = [...books.atoms].filter(([, atoms]) => atoms !== 0n);
    assert.deepEqual(unknown, [], 'money in accounts that the engine does not have');
  });
}
