// Tests reconciliation on real tables: equal copies give no discrepancy. One manually changed atom,
// row or state is found, named, pauses withdrawals, and is closed when it is repaired.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CommandNumber, UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { makeUser, openRegistryForTest, vault } from '../auth/registry-for-test.ts';
import type { CheckName, Difference } from './check.ts';
import { readOpenDifferences } from './differences.ts';
import type { EngineOrder, EngineUser } from './engine-state.ts';
import { CHECKS, Reconciliation } from './reconciliation.ts';
import {
  accountsAtEnd,
  accountsIn,
  addStep,
  atoms,
  BTC,
  EngineForTest,
  FRAME,
  fillTables,
  openHold,
  SCHEMA,
} from './tables-for-test.ts';

describe('reconciliation', () => {
  let connection: OwnConnection;
  let close: () => Promise<void>;
  let alice: UserId;
  let bob: UserId;
  let orders: EngineOrder[];
  let users: EngineUser[];
  const engine = new EngineForTest();
  let nowMs = Date.now();
  let reconciliation: Reconciliation;

  before(async () => {
    const registry = await openRegistryForTest();
    connection = await registry.connection();
    close = async () => {
      await connection.end();
      await registry.close();
    };
    await connection.query(`create schema ${SCHEMA}`);
    await migrate(connection, SCHEMA, readProjectionMigrations());
    await connection.query('set search_path to registry');
    alice = await makeUser(registry.pool);
    bob = await makeUser(registry.pool);
    engine.accountsNow = accountsAtEnd({ alice, bob });
    users = engine.usersNow = [alice, bob].map((user) => ({ user, tier: 1, discountPpm: 0 }));
    const order = { order: 70, user: alice, market: 1, base: BTC };
    orders = engine.ordersNow = [{ ...order, sizeLots: 5, remainingLots: 4 }];
    engine.holdsNow.set(1, openHold(alice));
    await fillTables(connection, { alice, bob }, engine);
    reconciliation = newReconciliation();
  });

  after(() => close());

  function newReconciliation(rowsMax = 1_000): Reconciliation {
    return new Reconciliation({ vault, projectionSchema: SCHEMA, engine, rowsMax });
  }

  /** Runs every check, two seconds apart, until each has finished a pass. */
  async function pass(
    rounds = 2,
  ): Promise<{ opened: Named[]; closed: string[]; paused: string[] }> {
    const opened: Named[] = [];
    const closed: string[] = [];
    const paused: string[] = [];
    for (let round = 0; round < rounds; round++) {
      nowMs += 2_000;
      for (const check of CHECKS) {
        const step = await reconciliation.step(connection, check, nowMs);
        assert.equal(step.isLater, false, check.name);
        opened.push(...step.opened.map((one) => ({ check: check.name, ...one })));
        closed.push(...step.closed);
        paused.push(...step.paused);
      }
    }
    return { opened, closed, paused };
  }

  test('equal copies have no discrepancy, in one part or in many', async () => {
    for (const rowsMax of [1_000, 1, 2]) {
      reconciliation = newReconciliation(rowsMax);
      assert.deepEqual(await pass(12), { opened: [], closed: [], paused: [] });
    }
    reconciliation = newReconciliation();
  });

  interface Plant {
    readonly title: string;
    readonly plant: string | (() => void);
    readonly repair: string | (() => void);
    /** Found in the second round. */
    readonly found?: readonly (readonly [CheckName, string])[];
    /** Found in the first round, because no operation in progress can look like it. */
    readonly atOnce?: readonly (readonly [CheckName, string])[];
    readonly paused: readonly string[];
  }

  const BALANCE = `update ${SCHEMA}.balances set`;
  const OF_ALICE = () => `where owner = ${alice} and asset_id = 1`;
  const ENTRY = `update ${SCHEMA}.ledger_entries set`;
  const ENTRIES_DIFFER = ['log', 'ledger entries from frame 1'] as const;
  const TRADES_DIFFER = ['log', 'trades and fills from frame 1'] as const;
  const BTC_ONLY = ['btc'];
  const ALL = ['btc', 'usdt'];

  const inTables = (): readonly Plant[] => [
    {
      title: 'an atom more in a projected balance',
      plant: `${BALANCE} available_atoms = available_atoms + 1 ${OF_ALICE()}`,
      repair: `${BALANCE} available_atoms = available_atoms - 1 ${OF_ALICE()}`,
      found: [
        ['balances', `account ${alice} btc available`],
        ['entries', `account ${alice} btc available`],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'an atom less in a projected hold',
      plant: `${BALANCE} held_atoms = held_atoms - 1 ${OF_ALICE()}`,
      repair: `${BALANCE} held_atoms = held_atoms + 1 ${OF_ALICE()}`,
      found: [
        ['balances', `account ${alice} btc held`],
        ['entries', `account ${alice} btc held`],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'an account that the engine does not have',
      plant: `insert into ${SCHEMA}.balances values (777, 1, 1, 0, now(), 1)`,
      repair: `delete from ${SCHEMA}.balances where owner = 777`,
      found: [
        ['balances', 'account 777 btc available'],
        ['entries', 'account 777 btc available'],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'an account missing in the tables',
      plant: `update ${SCHEMA}.balances set owner = 778 where owner = -2 and asset_id = 1`,
      repair: `update ${SCHEMA}.balances set owner = -2 where owner = 778`,
      found: [
        ['balances', 'account -2 btc available'],
        ['balances', 'account 778 btc available'],
        ['entries', 'account 778 btc available'],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'an atom more in a ledger entry',
      plant: `${ENTRY} available_change_atoms = available_change_atoms + 1
        ${OF_ALICE()} and frame = 1`,
      repair: `${ENTRY} available_change_atoms = available_change_atoms - 1
        ${OF_ALICE()} and frame = 1`,
      found: [['entries', `account ${alice} btc available`]],
      atOnce: [ENTRIES_DIFFER],
      paused: ALL,
    },
    {
      title: 'an atom moved from one entry of an account to another',
      plant: `${ENTRY} available_change_atoms = available_change_atoms +
        case frame when 1 then 1 else -1 end ${OF_ALICE()} and frame in (1, 4)`,
      repair: `${ENTRY} available_change_atoms = available_change_atoms -
        case frame when 1 then 1 else -1 end ${OF_ALICE()} and frame in (1, 4)`,
      atOnce: [ENTRIES_DIFFER],
      paused: ALL,
    },
    {
      title: 'all entries of an account deleted',
      plant: `${ENTRY} owner = -999 where owner = -2 and asset_id = 2`,
      repair: `${ENTRY} owner = -2 where owner = -999`,
      found: [['entries', 'account -2 usdt available']],
      atOnce: [ENTRIES_DIFFER],
      paused: ALL,
    },
    {
      title: 'another fee in a fill',
      plant: `update ${SCHEMA}.fills set fee_atoms = fee_atoms + 1 where liquidity = 'maker'`,
      repair: `update ${SCHEMA}.fills set fee_atoms = fee_atoms - 1 where liquidity = 'maker'`,
      atOnce: [TRADES_DIFFER],
      paused: ALL,
    },
    {
      title: 'a deleted trade',
      plant: `update ${SCHEMA}.trades set executed_at = executed_at - interval '1 year'`,
      repair: `update ${SCHEMA}.trades set executed_at = executed_at + interval '1 year'`,
      atOnce: [TRADES_DIFFER],
      paused: ALL,
    },
    {
      title: 'another filled size in an open order',
      plant: `update ${SCHEMA}.orders set filled_lots = 2`,
      repair: `update ${SCHEMA}.orders set filled_lots = 1`,
      found: [['orders', 'order 70']],
      paused: BTC_ONLY,
    },
    {
      title: 'an open order shown as canceled',
      plant: `update ${SCHEMA}.orders set status = 'canceled', close_reason = 'canceled_by_user'`,
      repair: `update ${SCHEMA}.orders set status = 'new', close_reason = null`,
      found: [['orders', 'order 70']],
      paused: BTC_ONLY,
    },
    {
      title: 'an order that the engine does not have',
      plant: () => void (engine.ordersNow = []),
      repair: () => void (engine.ordersNow = orders),
      found: [['orders', 'order 70']],
      paused: BTC_ONLY,
    },
  ];

  const DEPOSIT = 'update deposit_requests set';
  const WITHDRAWAL = 'update withdrawal_requests set';

  const inRequests = (): readonly Plant[] => [
    {
      title: 'an atom more in a request on hold',
      plant: `${WITHDRAWAL} amount_atoms = amount_atoms + 1 where id = 1`,
      repair: `${WITHDRAWAL} amount_atoms = amount_atoms - 1 where id = 1`,
      found: [
        ['holds', 'withdrawal 1'],
        ['withdrawals', 'withdrawal 1'],
        ['withdrawals', 'terms of withdrawal 1'],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'another address in an approved withdrawal',
      plant: `${WITHDRAWAL} address = 'thief' where id = 1`,
      repair: `${WITHDRAWAL} address = 'a' where id = 1`,
      found: [
        ['holds', 'withdrawal 1'],
        ['withdrawals', 'terms of withdrawal 1'],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'an approved withdrawal shown as canceled',
      plant: `${WITHDRAWAL} state = 'canceled' where id = 1`,
      repair: `${WITHDRAWAL} state = 'approved' where id = 1`,
      found: [
        ['holds', 'withdrawal 1'],
        ['withdrawals', 'withdrawal 1'],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'a paid withdrawal shown as rejected',
      plant: `${WITHDRAWAL} state = 'rejected' where id = 2`,
      repair: `${WITHDRAWAL} state = 'completed' where id = 2`,
      found: [['withdrawals', 'withdrawal 2']],
      paused: BTC_ONLY,
    },
    {
      title: 'another fee in a completed withdrawal',
      plant: `${WITHDRAWAL} fee_atoms = fee_atoms + 1 where id = 2`,
      repair: `${WITHDRAWAL} fee_atoms = fee_atoms - 1 where id = 2`,
      found: [
        ['withdrawals', 'withdrawal 2'],
        ['withdrawals', 'terms of withdrawal 2'],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'a completed withdrawal that is not in the log',
      plant: `${WITHDRAWAL} command = 4444 where id = 2`,
      repair: `${WITHDRAWAL} command = 21 where id = 2`,
      found: [['withdrawals', 'withdrawal 2']],
      paused: BTC_ONLY,
    },
    {
      title: 'another amount in a sent transfer',
      plant: `${WITHDRAWAL} amount_atoms = amount_atoms + 1 where id = 3`,
      repair: `${WITHDRAWAL} amount_atoms = amount_atoms - 1 where id = 3`,
      found: [
        ['withdrawals', 'withdrawal 3'],
        ['withdrawals', 'terms of withdrawal 3'],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'another amount in a received transfer',
      plant: `${DEPOSIT} amount_atoms = amount_atoms + 1 where id = 3`,
      repair: `${DEPOSIT} amount_atoms = amount_atoms - 1 where id = 3`,
      found: [['deposits', 'deposit 3']],
      paused: BTC_ONLY,
    },
    {
      title: 'a withdrawal that the tables show as completed',
      plant: `update ${SCHEMA}.withdrawals set status = 'completed' where command = 31`,
      repair: `update ${SCHEMA}.withdrawals set status = 'open' where command = 31`,
      found: [['withdrawals', 'withdrawal 1']],
      paused: BTC_ONLY,
    },
    {
      title: 'an approved withdrawal without a hold',
      plant: () => engine.holdsNow.set(9, engine.holdsNow.get(1)!) && engine.holdsNow.delete(1),
      repair: () => engine.holdsNow.set(1, engine.holdsNow.get(9)!) && engine.holdsNow.delete(9),
      found: [
        ['holds', 'withdrawal 1'],
        ['holds', 'withdrawal 9'],
      ],
      paused: BTC_ONLY,
    },
    {
      title: 'an atom more in a completed deposit',
      plant: `${DEPOSIT} amount_atoms = amount_atoms + 1 where id = 1`,
      repair: `${DEPOSIT} amount_atoms = amount_atoms - 1 where id = 1`,
      found: [['deposits', 'deposit 1']],
      paused: BTC_ONLY,
    },
    {
      title: 'an atom more in a projected deposit',
      plant: `update ${SCHEMA}.deposits set amount_atoms = amount_atoms + 1 where command = 11`,
      repair: `update ${SCHEMA}.deposits set amount_atoms = amount_atoms - 1 where command = 11`,
      found: [['deposits', 'deposit 1']],
      paused: BTC_ONLY,
    },
    {
      title: 'an atom more in a deposit and in its projected row',
      plant: `with shown as (
          update ${SCHEMA}.deposits set amount_atoms = amount_atoms + 1 where command = 11)
        ${DEPOSIT} amount_atoms = amount_atoms + 1 where id = 1`,
      repair: `with shown as (
          update ${SCHEMA}.deposits set amount_atoms = amount_atoms - 1 where command = 11)
        ${DEPOSIT} amount_atoms = amount_atoms - 1 where id = 1`,
      found: [['deposits', 'deposit 1']],
      paused: BTC_ONLY,
    },
    {
      title: 'a credited deposit shown as rejected',
      plant: `${DEPOSIT} state = 'rejected' where id = 1`,
      repair: `${DEPOSIT} state = 'completed' where id = 1`,
      found: [['deposits', 'deposit 1']],
      paused: BTC_ONLY,
    },
    {
      title: 'a second completed request for the same credit',
      plant: `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
          address, transaction_id, state, command)
        values ('deposit', ${alice}, 1, 'btc', 8, ${atoms(7)}, 'a', 'forged', 'completed', 11)`,
      repair: `with change as (delete from transfer_changes where deposit_request > 3)
        delete from deposit_requests where transaction_id = 'forged'`,
      found: [['deposits', 'deposit 4']],
      paused: BTC_ONLY,
    },
    {
      title: 'a credit in the log without a request',
      plant: 'update outbox set deposit_request = null where channel = 12 and sequence = 1',
      repair: 'update outbox set deposit_request = 1 where channel = 12 and sequence = 1',
      found: [
        ['channels', 'outbox 12/1'],
        ['deposits', 'deposit 1'],
      ],
      paused: BTC_ONLY,
    },
  ];

  const inOthers = (): readonly Plant[] => [
    {
      title: 'a channel position that the outbox did not assign',
      plant: () => void (engine.sequences = { ...engine.sequences, 12: 3 }),
      repair: () => void (engine.sequences = { ...engine.sequences, 12: 2 }),
      atOnce: [['channels', 'channel 12']],
      paused: ALL,
    },
    {
      title: 'a settled position that the engine has not seen',
      plant: () => void (engine.sequences = { ...engine.sequences, 11: 2 }),
      repair: () => void (engine.sequences = { ...engine.sequences, 11: 3 }),
      found: [['channels', 'channel 11']],
      paused: ALL,
    },
    {
      title: 'a deleted outbox row',
      plant: 'update outbox set sequence = 1002 where channel = 11 and sequence = 2',
      repair: 'update outbox set sequence = 2 where channel = 11 and sequence = 1002',
      atOnce: [
        ['channels', 'outbox 11/2'],
        ['channels', 'outbox 11/1002'],
      ],
      paused: ALL,
    },
    {
      title: 'an outbox command that differs from the log',
      plant: `update outbox o set record = (select record from outbox where channel = 12
        and sequence = 2) where channel = 12 and sequence = 1`,
      repair: `update outbox o set record = (select record from logged_commands where channel = 12
        and sequence = 1) where channel = 12 and sequence = 1`,
      found: [['deposits', 'deposit 1']],
      atOnce: [['channels', 'outbox 12/1']],
      paused: BTC_ONLY,
    },
    {
      title: 'an accepted command that the outbox shows as rejected',
      plant: `update outbox set state = 'refused', refusal = 'asset_must_exist'
        where channel = 13 and sequence = 1`,
      repair: `update outbox set state = 'accepted', refusal = null
        where channel = 13 and sequence = 1`,
      atOnce: [['channels', 'outbox 13/1']],
      paused: ALL,
    },
    {
      title: 'an engine user without a row',
      plant: () => void (engine.usersNow = [{ user: 5000, tier: 1, discountPpm: 0 }]),
      repair: () => void (engine.usersNow = users),
      atOnce: [['users', 'user 5000']],
      paused: ALL,
    },
    {
      title: 'another tier in the engine',
      plant: () => void (engine.usersNow = [{ user: alice, tier: 2, discountPpm: 0 }]),
      repair: () => void (engine.usersNow = users),
      found: [['users', `user ${alice}`]],
      paused: ALL,
    },
    {
      title: 'a change without a recorded notice',
      plant: `update transfer_changes set state = 'pending' where deposit_request = 1`,
      repair: `update transfer_changes set state = 'completed' where deposit_request = 1`,
      found: [['notices', 'deposit 1']],
      paused: [],
    },
    {
      title: 'a change not emailed within a minute',
      plant: `update transfer_changes set mailed_at = null where deposit_request = 1`,
      repair: `update transfer_changes set mailed_at = now() where deposit_request = 1`,
      found: [['notices', 'deposit 1 completed']],
      paused: [],
    },
    {
      title: 'declared holdings one atom below what users own',
      plant: `update declared_holdings set amount = 4.99899999`,
      repair: `update declared_holdings set amount = 4.999`,
      found: [['holdings', 'holding btc']],
      paused: BTC_ONLY,
    },
    {
      title: 'an atom that no command gave the engine',
      plant: () => engine.accountsNow.push(accountsIn(BTC)(779, 1e-8, 0)),
      repair: () => void engine.accountsNow.pop(),
      found: [
        ['engine_sums', 'sum of btc'],
        ['balances', 'account 779 btc available'],
        ['holdings', 'holding btc'],
      ],
      paused: BTC_ONLY,
    },
  ];

  async function change(how: string | (() => void)): Promise<void> {
    if (typeof how === 'string') assert.notEqual((await connection.query(how)).rowCount, 0, how);
    else how();
    await connection.query(
      `update transfer_changes set published_at = now(), mailed_at = now()
       where published_at is null`,
    );
  }

  async function find({ atOnce = [], found = [], paused, ...one }: Plant): Promise<void> {
    const { plant, repair, title } = one;
    await change(plant);
    const first = await pass(1);
    assert.deepEqual(namesOf(first.opened), sorted(atOnce), `${title}: immediately`);
    const second = await pass(1);
    assert.deepEqual(namesOf(second.opened), sorted(found), title);
    const stopped = new Set([...first.paused, ...second.paused]);
    assert.deepEqual([...stopped].sort(), paused, title);
    for (const { expected, found: value } of [...first.opened, ...second.opened]) {
      assert.notEqual(expected, value, title);
    }
    const open = await readOpenDifferences(connection);
    assert.equal(open.length, found.length + atOnce.length, title);
    assert.deepEqual((await pass(1)).opened, [], `${title}: reported once`);
    await change(repair);
    await pass(2);
    assert.deepEqual(await readOpenDifferences(connection), [], `${title}: closed`);
    await resume();
  }

  test('each discrepancy in the tables is found, named and closed', async () => {
    for (const plant of inTables()) await find(plant);
  });

  test('each discrepancy in requests is found, named and closed', async () => {
    for (const plant of inRequests()) await find(plant);
  });

  test('each discrepancy in positions, users, notices and totals is found', async () => {
    for (const plant of inOthers()) await find(plant);
  });

  test('a pause is recorded and remains after the discrepancy is gone', async () => {
    await change('update deposit_requests set amount_atoms = amount_atoms + 1 where id = 1');
    await pass(2);
    await change('update deposit_requests set amount_atoms = amount_atoms - 1 where id = 1');
    await pass(2);
    const { rows } = await connection.query(
      `select s.stopped_by, s.reason, c.allow_withdrawal, c.allow_deposit, e.act, e.credential
       from stops s join coins c on c.symbol = s.object, audit_entries e
       where e.seq = (select max(seq) from audit_entries)`,
    );
    assert.deepEqual(rows, [
      {
        stopped_by: null,
        reason: 'reconciliation: deposits deposit 1',
        allow_withdrawal: false,
        allow_deposit: true,
        act: 'reconciliation.pause',
        credential: 'system',
      },
    ]);
    await resume();
  });

  test('tables ahead of the replica, or with half a frame, are compared later', async () => {
    const balances = CHECKS.find(({ name }) => name === 'balances')!;
    const isLater = async () => (await reconciliation.step(connection, balances, nowMs)).isLater;
    await connection.query(`update ${SCHEMA}.projection set frame_sequence = ${FRAME + 1}`);
    assert.equal(await isLater(), true);
    await connection.query(
      `update ${SCHEMA}.projection set frame_sequence = ${FRAME}, is_complete = false`,
    );
    assert.equal(await isLater(), true);
    await connection.query(`update ${SCHEMA}.projection set is_complete = true`);
    assert.equal(await isLater(), false);
  });

  test('a busy account is found although its amounts change between the rounds', async () => {
    const [first, ...others] = engine.accountsNow;
    await change(`${BALANCE} available_atoms = available_atoms + 1 ${OF_ALICE()}`);
    await pass(1);
    engine.accountsNow = [accountsIn(BTC)(alice, 2.25, 1.25), ...others];
    await change(`${BALANCE} available_atoms = available_atoms - 100000000 ${OF_ALICE()}`);
    const { opened } = await pass(1);
    const [balance] = opened.filter(({ check }) => check === 'balances');
    assert.equal(`${balance.expected} / ${balance.found}`, '2.25 btc / 2.25000001 btc');
    engine.accountsNow = [first, ...others];
    await change(`${BALANCE} available_atoms = 325000000 ${OF_ALICE()}`);
    await pass(2);
    await resume();
  });

  test('a pending burn is not a discrepancy, whichever way it ends', async () => {
    const { rows } = await connection.query(
      `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state)
       values ('burn', ${alice}, 1, 'btc', 8, ${atoms(0.01)}, 1, 'btc', 8, 7, '', 'b', 'opening')
       returning id`,
    );
    const id = Number(rows[0].id);
    const move = async (state: string) => {
      await change(`update withdrawal_requests set state = '${state}', command = 71
        where id = ${id}`);
      assert.deepEqual(await pass(2), { opened: [], closed: [], paused: [] }, state);
    };
    const terms = { user: alice, asset: BTC, amountAtoms: atoms(0.01) };
    const fee = { feeAsset: BTC, feeAtoms: atoms(0), destination: '' };
    const held = { ...terms, ...fee, withdrawal: id };
    const at = { channel: 11, withdrawal: id };
    await addStep(connection, engine, {
      ...{ ...at, sequence: 4, number: 71, command: { kind: 'OpenWithdrawal', ...held } },
      event: { kind: 'WithdrawalOpened', command: 71 as CommandNumber, ...held },
    });
    await change(`insert into ${SCHEMA}.withdrawals values (71, 'withdrawal', ${id}, ${alice}, 1,
      ${atoms(0.01)}, 1, 0, 'open', '', now(), now())`);
    engine.holdsNow.set(id, held);
    for (const state of ['approved', 'claimed', 'completing', 'in_review']) await move(state);
    await addStep(connection, engine, {
      ...{ ...at, sequence: 5, number: 72, command: { kind: 'CancelWithdrawal', withdrawal: id } },
      event: { kind: 'WithdrawalCanceled', command: 72 as CommandNumber, ...held },
    });
    await change(`update ${SCHEMA}.withdrawals set status = 'canceled' where command = 71`);
    engine.holdsNow.delete(id);
    await move('dismissed');
  });

  async function resume(): Promise<void> {
    await connection.query('delete from stops');
    await connection.query('update coins set allow_withdrawal = true');
  }
});

type Named = Difference & { readonly check: CheckName };

function namesOf(opened: readonly Named[]): string[] {
  return sorted(opened.map(({ check, object }) => [check, object]));
}

function sorted(names: readonly (readonly string[])[]): string[] {
  return names.map((name) => name.join(': ')).sort();
}
