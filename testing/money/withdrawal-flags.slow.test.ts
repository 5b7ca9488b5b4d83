// PUT /v2/admin/burn with an administrator's key in solo mode: every flag of the interface, on
// burns and on user withdrawals.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const AMOUNT = 0.01;

let sandbox: Sandbox;

function client(name: 'admin' | 'alice'): RestClient {
  const { key, secret } = sandbox.seeded.users[name];
  return new RestClient({ url: sandbox.url, key, secret });
}

/** Returns the flags that are true after the change, or the code of its rejection. */
async function change(transaction_id: string, flags: object): Promise<string> {
  const answer = await client('admin').put('/admin/burn', { transaction_id, ...flags });
  return answer.status === 200 ? flagsOf(answer) : `${answer.body.code}`;
}

function flagsOf({ body }: RestAnswer): string {
  const names = ['status', 'dismissed', 'rejected', 'processing', 'waiting'];
  return names.filter((name) => body[name] === true).join(' ');
}

async function pendingBurn(): Promise<string> {
  const user_id = sandbox.seeded.users.alice.user;
  const burn = { user_id, currency: 'btc', amount: AMOUNT, status: false };
  const { body, status, text } = await client('admin').post('/admin/burn', burn);
  assert.equal(status, 201, text);
  return body.transaction_id;
}

/** Creates a user withdrawal that two operators would review in team mode. */
async function inReview(): Promise<string> {
  const withdrawal = { currency: 'btc', amount: AMOUNT, address: ADDRESS, network: 'BTC' };
  const { body, status, text } = await client('alice').post('/user/withdrawal', withdrawal);
  assert.equal(status, 200, text);
  await sandbox.admin.registry.query(
    `update withdrawal_requests set state = 'in_review', reviews_needed = 2 where id = $1`,
    [body.id],
  );
  return body.transaction_id;
}

async function available(): Promise<number> {
  return (await client('alice').get('/user/balance')).body.btc_available;
}

describe('withdrawal flags', () => {
  before(async () => {
    sandbox = await startSandbox({ checkAnswers: true });
  });
  after(() => sandbox?.stop());

  // Each change is followed by the flags that are then true, or by the code of the rejection.
  const changes: [title: string, changes: [flags: object, result: string][], isPaid: boolean][] = [
    [
      'is stopped, approved, and completed',
      [
        [{ waiting: true }, 'waiting'],
        [{ waiting: false }, ''],
        [{ processing: true }, 'processing'],
        [{ status: true }, 'status'],
        [{ rejected: true }, '2212'],
      ],
      true,
    ],
    [
      'is rejected after processing',
      [
        [{ processing: true }, 'processing'],
        [{ rejected: true }, 'rejected'],
        [{ status: true }, '2212'],
      ],
      false,
    ],
    [
      'is dismissed after processing',
      [
        [{ processing: true }, 'processing'],
        [{ dismissed: true }, 'dismissed'],
      ],
      false,
    ],
    [
      'is stopped after processing, and rejected',
      [
        [{ processing: true }, 'processing'],
        [{ waiting: true }, 'waiting'],
        [{ rejected: true }, 'rejected'],
      ],
      false,
    ],
    ['is completed directly', [[{ status: true }, 'status']], true],
  ];

  for (const [title, steps, isPaid] of changes) {
    for (const [what, make] of [
      ['a pending burn', pendingBurn],
      ['a withdrawal in review', inReview],
    ] as const) {
      test(`${what} ${title}`, async () => {
        const before = await available();
        const transaction = await make();
        const held = before - (await available());
        assert.ok(held >= AMOUNT, `${held} is held`);
        for (const [flags, result] of steps) {
          assert.equal(await change(transaction, flags), result, JSON.stringify(flags));
        }
        const left = before - (await available());
        assert.equal(left.toFixed(8), (isPaid ? held : 0).toFixed(8));
      });
    }
  }

  test('a burn gets another address and transaction; a withdrawal keeps its address', async () => {
    const [burned, withdrawn] = [await pendingBurn(), await inReview()];
    const updated = { updated_address: 'account 7', updated_transactionId: `${burned}-2` };
    const { body } = await client('admin').put('/admin/burn', {
      transaction_id: burned,
      ...updated,
    });
    assert.deepEqual([body.address, body.transaction_id], ['account 7', `${burned}-2`]);
    assert.equal(await change(withdrawn, { updated_address: ADDRESS }), '2426');
  });
});
