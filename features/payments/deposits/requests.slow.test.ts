// Tests deposits in a real registry, without an engine: a cause is credited once, however it is
// spelled and however many reports arrive at the same time. A failed deposit is credited again
// instead of creating a second one.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AssetId, Atoms, UserId } from '../../../core/money/index.ts';
import { inTransaction, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { readWaiting } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { inOwnTransaction } from '../../../testing/outbox/own-transaction.ts';
import { settleRows } from '../../../testing/outbox/settle-rows.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
} from '../../auth/registry-for-test.ts';
import type { RequestChange } from '../request-moves.ts';
import {
  addDepositRequest,
  announceDeposit,
  cancelDepositIn,
  changeTransactionIn,
  completeDepositIn,
  type DepositRequest,
  type NamedCause,
  type RequestedDeposit,
  requestDeposit,
  requestTransfer,
} from './requests.ts';

const cancelDepositRequest = inOwnTransaction(cancelDepositIn);
const completeDepositRequest = inOwnTransaction(completeDepositIn);
const changeDepositTransaction = inOwnTransaction(changeTransactionIn);

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const ETH = { id: 3 as AssetId, currency: 'eth', scale: 8 };
const EUR = { id: 4 as AssetId, currency: 'eur', scale: 2 };

let registry: RegistryForTest;
let pool: Pool;
let user: UserId;
let hashes = 0;
let commands = 100;

/** Returns a new transaction for each test. */
function newHash(): string {
  return `${++hashes}`.padStart(4, '0') + HASH.slice(4);
}

function deposit(change: Partial<DepositRequest> = {}): DepositRequest {
  const amounts = { amountAtoms: 5n as Atoms, isChainCoin: true };
  return { user, asset: ETH, network: 'eth', ...amounts, ...change };
}

function report(change: Partial<DepositRequest> = {}): Promise<RequestedDeposit | Refused> {
  return withConnection(pool, (connection) => requestDeposit(connection, deposit(change)));
}

async function reported(change: Partial<DepositRequest> = {}): Promise<number> {
  const requested = await report(change);
  assert.ok(requested.kind === 'requested', JSON.stringify(requested));
  return requested.id;
}

function announced(change: Partial<DepositRequest> = {}): Promise<number> {
  return withConnection(pool, (connection) =>
    inTransaction(connection, async () => (await announceDeposit(connection, deposit(change))).id),
  );
}

function complete(
  id: number,
  named: Parameters<typeof completeDepositRequest>[2] = {},
): Promise<RequestChange> {
  return withConnection(pool, (connection) => completeDepositRequest(connection, { id }, named));
}

/** Settles every pending command as the engine would. Returns their kinds and references. */
async function settleAll(refusal: 'none' | 'issuance_cap_exceeded' = 'none'): Promise<string[]> {
  const rows = await readWaiting(pool, 1_000);
  const state = refusal === 'none' ? 'accepted' : 'refused';
  await withConnection(pool, (connection) =>
    settleRows(
      connection,
      rows.map((row) => {
        const { channel, sequence } = row;
        const at = { channel, sequence, frame: 9, command: ++commands };
        return { row, outcome: { ...at, state, refusal } };
      }),
    ),
  );
  return rows.map(
    ({ command }) => `${command.kind} ${'reference' in command && command.reference}`,
  );
}

async function rowOf(id: number) {
  const { rows } = await pool.query(
    `select state, cause, transaction_id, refusal, command::int as command
     from deposit_requests where id = $1`,
    [id],
  );
  return rows[0];
}

function outcomeOf(result: RequestedDeposit | RequestChange | Refused): string {
  return result instanceof Refused ? result.key : result.kind;
}

describe('deposits', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
    user = await makeUser(pool);
  });
  after(() => registry.close());

  test('one transaction in five spellings is credited once', async () => {
    const hash = newHash();
    const spellings: Partial<DepositRequest>[] = [
      { transactionId: hash, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      { transactionId: hash.toUpperCase(), address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' },
      { transactionId: `0x${hash}`, address: 'another address' },
      { transactionId: ` 0X${hash.toUpperCase()} `, network: 'ETH' },
      {
        transactionId: hash,
        network: ' Eth',
        user: await makeUser(pool),
        amountAtoms: 9n as Atoms,
      },
    ];
    const outcomes = [];
    for (const spelling of spellings) outcomes.push(outcomeOf(await report(spelling)));
    const used = 'transaction_id_used';
    assert.deepEqual(outcomes, ['requested', used, used, used, used]);
    assert.deepEqual(await settleAll(), [`CreditDeposit ${hash}`]);
    assert.equal(outcomeOf(await report(spellings[1])), used, 'after the credit');
  });

  test('two outputs of one transaction to one address are credited twice', async () => {
    const paid = { transactionId: newHash(), address: 'one address' };
    const outcomes = [];
    for (const output of [undefined, '1', '01', '0', '2']) {
      const amountAtoms = BigInt(5 + outcomes.length) as Atoms;
      outcomes.push(outcomeOf(await report({ ...paid, output, amountAtoms })));
    }
    const used = 'transaction_id_used';
    assert.deepEqual(outcomes, ['requested', 'requested', used, used, 'requested']);
    assert.equal((await settleAll()).length, 3);
  });

  test('one transaction can pay two assets and happens on one network', async () => {
    const transactionId = newHash();
    const outcome = async (change: object) => outcomeOf(await report({ transactionId, ...change }));
    assert.equal(await outcome({}), 'requested');
    assert.equal(await outcome({ asset: { ...ETH, id: 9 as AssetId } }), 'requested');
    assert.equal(await outcome({ network: 'bnb' }), 'transaction_id_used');
    await settleAll();
  });

  test('a transaction without a network counts for all networks of its coin', async () => {
    const networks = [null, 'eth', 'trx'] as const;
    for (const first of networks) {
      for (const second of networks) {
        const transactionId = newHash();
        const pair = `${first}, then ${second}`;
        const outcome = async (network: string | null) =>
          outcomeOf(await report({ transactionId, network }));
        assert.equal(await outcome(first), 'requested', pair);
        assert.equal(await outcome(second), 'transaction_id_used', pair);
        assert.equal((await settleAll()).length, 1, pair);
        assert.equal(await outcome(second), 'transaction_id_used', `${pair}, credited`);
      }
    }
  });

  test('of concurrent reports without and with a network, one is credited', async () => {
    for (let round = 0; round < 5; round++) {
      const transactionId = newHash();
      const networks = [null, 'eth', 'trx', null, 'eth', 'trx'];
      const results = await Promise.all(
        networks.map((network) => report({ transactionId, network })),
      );
      assert.equal(results.filter(({ kind }) => kind === 'requested').length, 1);
      assert.equal((await settleAll()).length, 1);
    }
  });

  test('of many concurrent reports over many connections, one is credited', async () => {
    for (let round = 0; round < 10; round++) {
      const hash = newHash();
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          report({ transactionId: at % 2 === 0 ? hash : `0x${hash}`, address: `address ${at}` }),
        ),
      );
      assert.equal(results.filter(({ kind }) => kind === 'requested').length, 1);
      assert.equal((await settleAll()).length, 1);
    }
  });

  test('of many announcements of one transfer credited concurrently, one is credited', async () => {
    for (let round = 0; round < 5; round++) {
      const transactionId = `SEPA ${round}`;
      const of = { asset: EUR, isChainCoin: false, transactionId };
      const ids = await Promise.all(
        Array.from({ length: 6 }, (_, at) => announced({ ...of, network: at % 2 ? 'fiat' : null })),
      );
      const results = await Promise.all(ids.map((id) => complete(id)));
      assert.equal(results.filter(({ kind }) => kind === 'requested').length, 1);
      const others = results.filter((one) => one instanceof Refused);
      assert.ok(others.every(({ key }) => key === 'transaction_id_used'));
      assert.deepEqual(await settleAll(), [`MintAsset ${transactionId}`]);
    }
  });

  test('an announcement does not block the transaction of another user', async () => {
    const transactionId = newHash();
    const squatter = await makeUser(pool);
    const squatted = await announced({ user: squatter, transactionId });
    assert.equal((await rowOf(squatted)).cause, null);
    assert.equal(outcomeOf(await report({ transactionId })), 'requested');
    assert.equal(outcomeOf(await complete(squatted)), 'transaction_id_used');
    assert.equal((await rowOf(squatted)).state, 'pending');
    assert.equal((await settleAll()).length, 1);
    // The operator finds that it is the second output.
    assert.equal(outcomeOf(await complete(squatted, { output: '1' })), 'requested');
    assert.equal((await rowOf(squatted)).cause, `/${transactionId}/1`);
    await settleAll();
  });

  test('a failed deposit is credited again using its own row', async () => {
    const transactionId = newHash();
    const id = await reported({ transactionId });
    await settleAll('issuance_cap_exceeded');
    const { command, refusal, state } = await rowOf(id);
    assert.deepEqual([state, refusal], ['refused', 'issuance_cap_exceeded']);
    const second = await report({ transactionId });
    assert.deepEqual(second, new Refused('transaction_failed_before', { id }));
    assert.equal(outcomeOf(await complete(id)), 'requested');
    assert.deepEqual([(await rowOf(id)).command, (await rowOf(id)).refusal], [null, null]);
    assert.equal(outcomeOf(await complete(id)), 'deposit_ended');
    assert.deepEqual(await settleAll(), [`CreditDeposit ${transactionId}`]);
    const after = await rowOf(id);
    assert.deepEqual([after.state, after.refusal], ['completed', null]);
    assert.ok(after.command > command);
    assert.equal(outcomeOf(await complete(id)), 'deposit_ended');
    assert.deepEqual(await settleAll(), []);
  });

  for (const as of ['dismissed', 'rejected'] as const) {
    test(`a ${as} deposit keeps its cause and can still be credited`, async () => {
      const transactionId = newHash();
      const id = await reported({ transactionId, isPending: true });
      await withConnection(pool, (connection) => cancelDepositRequest(connection, { id }, as));
      const again = await report({ transactionId });
      assert.deepEqual(again, new Refused('transaction_failed_before', { id }));
      assert.equal(outcomeOf(await complete(id)), 'requested');
      assert.equal((await settleAll()).length, 1);
    });
  }

  test('a failed transfer is never minted', async () => {
    const receiver = await makeUser(pool);
    const of = { asset: ETH, amountAtoms: 5n as Atoms, description: '' };
    await withConnection(pool, (connection) =>
      requestTransfer(connection, { sender: user, receiver, ...of }),
    );
    const { rows } = await pool.query('select id from deposit_requests where user_id = $1', [
      receiver,
    ]);
    const id = Number(rows[0].id);
    assert.equal(outcomeOf(await complete(id)), 'deposit_ended');
    await settleAll('issuance_cap_exceeded');
    assert.equal((await rowOf(id)).state, 'refused');
    assert.equal(outcomeOf(await complete(id)), 'deposit_ended');
    assert.deepEqual(await readWaiting(pool, 10), []);
  });

  test('another transaction is another cause', async () => {
    const [wrong, right] = [newHash(), newHash()];
    const id = await reported({ transactionId: wrong, isPending: true });
    const rename = (transactionId: string, one = id) =>
      withConnection(pool, (connection) =>
        changeDepositTransaction(connection, { id: one }, { transactionId }),
      );
    assert.equal(outcomeOf(await rename(right)), 'moved');
    assert.equal((await rowOf(id)).cause, `/${right}/0`);
    // The wrong transaction is free again, the right one is taken.
    const other = await reported({ transactionId: wrong, isPending: true });
    assert.equal(outcomeOf(await rename(`0x${right}`, other)), 'transaction_id_used');
    assert.equal(outcomeOf(await complete(other, { transactionId: right })), 'transaction_id_used');
    assert.equal(outcomeOf(await complete(id)), 'requested');
    assert.equal(outcomeOf(await rename(wrong)), 'deposit_ended');
    assert.deepEqual(await settleAll(), [`CreditDeposit ${right}`]);
    assert.equal(outcomeOf(await rename(wrong)), 'deposit_ended');
  });

  test('another transaction keeps the output, unless another one is named', async () => {
    const change = (id: number, named: NamedCause) =>
      withConnection(pool, (connection) => changeDepositTransaction(connection, { id }, named));
    const used = 'transaction_id_used';
    const correct = { change, complete } as const;
    for (const [act, done] of [
      ['change', 'moved'],
      ['complete', 'requested'],
    ] as const) {
      const [wrong, right] = [newHash(), newHash()];
      const id = await reported({ transactionId: wrong, output: '4', isPending: true });
      assert.equal(outcomeOf(await correct[act](id, { transactionId: right })), done);
      assert.equal((await rowOf(id)).cause, `/${right}/4`);
      assert.equal(outcomeOf(await report({ transactionId: right, output: '4' })), used);
      // Another output of the right transaction is another payment.
      assert.equal(outcomeOf(await report({ transactionId: right })), used);
      const of = { transactionId: right, output: '0', amountAtoms: 7n as Atoms };
      const other = await reported({ ...of, isPending: true });
      assert.equal(outcomeOf(await correct[act](other, { output: '4' })), used);
      assert.equal(outcomeOf(await correct[act](other, { output: '5' })), done);
      const { cause, transaction_id } = await rowOf(other);
      assert.deepEqual([cause, transaction_id], [`/${right}/5`, right]);
      await settleAll();
    }
  });

  test('abuse 89: a second output is named and differs in its user or its amount', async () => {
    const transactionId = newHash();
    const [more, other] = [{ amountAtoms: 7n as Atoms }, { user: await makeUser(pool) }];
    const second = (change: object) => report({ transactionId, ...change });
    assert.equal(outcomeOf(await second({})), 'requested');
    for (const change of [
      more,
      other,
      { network: 'trx' },
      { transactionId: `${transactionId}#1` },
    ]) {
      assert.equal(outcomeOf(await second(change)), 'transaction_id_used');
    }
    assert.equal(outcomeOf(await second({ output: '1' })), 'transaction_output_repeated');
    assert.equal(outcomeOf(await second({ output: '1', ...more })), 'requested');
    assert.equal(outcomeOf(await second({ output: '2', ...other })), 'requested');
    assert.equal(outcomeOf(await second({ output: '3', ...other })), 'transaction_output_repeated');
    // A chain watcher read the output.
    assert.equal(outcomeOf(await second({ output: '3', by: 'watcher' })), 'requested');
    assert.equal(outcomeOf(await second({ output: '03', by: 'watcher' })), 'transaction_id_used');
    assert.equal((await settleAll()).length, 4);
  });

  test('abuse 89: of equal outputs credited concurrently, one counts', async () => {
    const transactionId = newHash();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) => report({ transactionId, output: `${at}` })),
    );
    assert.equal(results.filter(({ kind }) => kind === 'requested').length, 1);
    await settleAll();
  });

  test('an announcement whose output an operator names has a cause', async () => {
    const transactionId = newHash();
    const id = await announced({ transactionId: newHash() });
    await withConnection(pool, (connection) =>
      changeDepositTransaction(connection, { id }, { transactionId }),
    );
    assert.equal((await rowOf(id)).cause, null);
    await withConnection(pool, (connection) =>
      changeDepositTransaction(connection, { id }, { output: '4' }),
    );
    assert.equal(outcomeOf(await complete(id)), 'requested');
    assert.equal((await rowOf(id)).cause, `/${transactionId}/4`);
    await settleAll();
  });

  test("a deposit in its caller's transaction is rolled back with it", async () => {
    const transactionId = newHash();
    const failing = withConnection(pool, (connection) =>
      inTransaction(connection, async () => {
        const added = await addDepositRequest(
          connection,
          deposit({ transactionId, by: 'watcher' }),
        );
        assert.equal(added.kind, 'requested');
        const again = await addDepositRequest(connection, deposit({ transactionId }));
        assert.equal(outcomeOf(again), 'transaction_id_used');
        throw new Error('the block is not stored');
      }),
    );
    await assert.rejects(failing, /the block is not stored/);
    assert.deepEqual(await readWaiting(pool, 10), []);
    assert.equal(outcomeOf(await report({ transactionId })), 'requested');
    await settleAll();
  });

  test('an unknown user gets no deposit', async () => {
    assert.equal(outcomeOf(await report({ user: 999_999 as UserId })), 'user_not_found');
  });
});
