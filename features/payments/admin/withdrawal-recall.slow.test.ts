// Tests that operators can stop or end withdrawals after approval or claim, on a real PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { inOwnTransaction } from '../../../testing/outbox/own-transaction.ts';
import { makeUser } from '../../auth/registry-for-test.ts';
import { PROJECTIONS, WithdrawalsForTest } from '../withdrawals/withdrawals-for-test.ts';
import {
  claimIn,
  completeIn,
  endIn,
  type Payer,
  type Reviewed,
  recallIn,
} from './withdrawal-review.ts';

const STEPS = {
  claim: inOwnTransaction((connection, id: number, payer: Payer) =>
    claimIn(connection, { id }, { payer, projectionSchema: PROJECTIONS }),
  ),
  pay: inOwnTransaction((connection, id: number, payer: Payer) =>
    completeIn(
      connection,
      { id },
      { payer, projectionSchema: PROJECTIONS, transactionId: 'chain' },
    ),
  ),
  recall: inOwnTransaction((connection, id: number, payer: Payer) =>
    recallIn(connection, { id }, payer),
  ),
  reject: inOwnTransaction((connection, id: number, payer: Payer) =>
    endIn(connection, { id }, { as: 'rejected', payer }),
  ),
  dismiss: inOwnTransaction((connection, id: number, payer: Payer) =>
    endIn(connection, { id }, { as: 'dismissed', payer }),
  ),
} as const;

let stage: WithdrawalsForTest;
const payers: Record<'one' | 'two' | 'admin', Payer> = {
  one: { user: 0 as Payer['user'], isAdmin: false },
  two: { user: 0 as Payer['user'], isAdmin: false },
  admin: { user: 0 as Payer['user'], isAdmin: true },
};

function outcomeOf(result: Reviewed): string {
  return result instanceof Refused ? result.key : result.kind;
}

describe('stopped withdrawals', () => {
  before(async () => {
    stage = await WithdrawalsForTest.open();
    for (const name of ['one', 'two', 'admin'] as const) {
      payers[name] = { ...payers[name], user: await makeUser(stage.pool, { role: 'supervisor' }) };
    }
  });
  after(() => stage.close());

  // Each step is `who what`; the outcome is that of the last step.
  const table: [steps: string, outcome: string, state: string][] = [
    ['one recall', 'moved', 'in_review'],
    ['one recall, two recall', 'moved', 'in_review'],
    ['one recall, one claim', 'withdrawal_under_way', 'in_review'],
    ['one recall, one pay', 'withdrawal_under_way', 'in_review'],
    ['one claim, one recall', 'moved', 'in_review'],
    ['one claim, two recall', 'withdrawal_claimed_by_another', 'claimed'],
    ['one claim, admin recall', 'moved', 'in_review'],
    ['one pay, one recall', 'withdrawal_under_way', 'completing'],
    ['one claim, one reject', 'requested', 'rejecting'],
    ['one claim, one dismiss', 'requested', 'dismissing'],
    ['one claim, two reject', 'withdrawal_claimed_by_another', 'claimed'],
    ['one claim, two dismiss', 'withdrawal_claimed_by_another', 'claimed'],
    ['one claim, admin reject', 'requested', 'rejecting'],
    ['one pay, one reject', 'withdrawal_under_way', 'completing'],
    ['one pay, admin dismiss', 'withdrawal_under_way', 'completing'],
  ];
  for (const [steps, outcome, state] of table) {
    test(`${steps}: ${outcome}, then ${state}`, async () => {
      const id = await stage.approved(await stage.person());
      let last = '';
      for (const step of steps.split(', ')) {
        const [who, what] = step.split(' ') as [keyof typeof payers, keyof typeof STEPS];
        const taken = await withConnection(stage.pool, (connection) =>
          STEPS[what](connection, id, payers[who]),
        );
        last = outcomeOf(taken);
      }
      assert.equal(last, outcome);
      assert.equal(await stage.stateOf(id), state);
      await stage.settle();
    });
  }
});
