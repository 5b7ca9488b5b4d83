// Reconciliation on real tables: equal copies give no difference; one atom, one row or one state
// that is changed by hand is found, named, pauses withdrawals, and is closed when it is repaired.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { makeUser, openRegistryForTest, vault } from '../auth/registry-for-test.ts';
import type { CheckName, Difference } from './check.ts';
import { readOpenDifferences } from './differences.ts';
import type { EngineAccount, EngineHold, EngineState } from './engine-state.ts';
import { CHECKS, Reconciliation } from './reconciliation.ts';

const BTC = 1 as AssetId;
const FRAME = 100;
const SCHEMA = 'projection';

/** The engine of the test: alice has 5 btc and holds 1.25 for withdrawal 1; 2 have left. */
class EngineForTest implements EngineState {
  frame = FRAME;
  accountsNow: EngineAccount[] = [];
  readonly holdsNow = new Map<number, EngineHold>();
  sequences: Record<number, number> = { 11: 3, 12: 1 };

  reach(frame: number): Promise<boolean> {
    return Promise.resolve(frame <= this.frame);
  }

  assetOf(): { symbol: string; scale: number } {
    return { symbol: 'btc', scale: 8 };
  }

  accounts(): readonly EngineAccount[] {
    return this.accountsNow;
  }

  accountsAt(): readonly EngineAccount[] {
    return this.accountsNow;
  }

  holds(): ReadonlyMap<number, EngineHold> {
    return this.holdsNow;
  }

  channelSequence(channel: number): number {
    return this.sequences[channel] ?? 0;
  }
}

function atoms(btc: number): Atoms {
  return BigInt(btc * 1e8) as Atoms;
}

describe('reconciliation', () => {
  let connection: OwnConnection;
  let close: () => Promise<void>;
  let alice: UserId;
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
    engine.accountsNow = [account(alice, 3.75, 1.25), account(-1, -5.5, 0), account(-2, 0.5, 0)];
    engine.holdsNow.set(1, {
      user: alice,
      asset: BTC,
      amountAtoms: atoms(1.25),
      feeAsset: BTC,
      feeAtoms: atoms(0),
    });
    for (const text of fixture(alice)) await connection.query(text);
    reconciliation = newReconciliation();
  });

  after(() => close());

  function newReconciliation(rowsMax = 1_000): Reconciliation {
    return new Reconciliation({ vault, projectionSchema: SCHEMA, engine, rowsMax });
  }

  /** Steps of every check, two seconds apart, until each has ended a pass. */
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

  test('equal copies have no difference, in one part or in many', async () => {
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
    readonly found: readonly (readonly [CheckName, string])[];
    readonly pausesNothing?: true;
  }

  const BALANCE = `update ${SCHEMA}.balances set`;
  const OF_ALICE = () => `where owner = ${alice}`;
  const ENTRY = `update ${SCHEMA}.ledger_entries set`;

  const plants = (): readonly Plant[] => [
    {
      title: 'an atom more in a projected balance',
      plant: `${BALANCE} available_atoms = available_atoms + 1 ${OF_ALICE()}`,
      repair: `${BALANCE} available_atoms = available_atoms - 1 ${OF_ALICE()}`,
      found: [
        ['balances', `account ${alice} btc available`],
        ['entries', `account ${alice} btc available`],
      ],
    },
    {
      title: 'an atom less in a projected hold',
      plant: `${BALANCE} held_atoms = held_atoms - 1 ${OF_ALICE()}`,
      repair: `${BALANCE} held_atoms = held_atoms + 1 ${OF_ALICE()}`,
      found: [
        ['balances', `account ${alice} btc held`],
        ['entries', `account ${alice} btc held`],
      ],
    },
    {
      title: 'an account that the engine does not have',
      plant: `insert into ${SCHEMA}.balances values (777, 1, 1, 0, now(), 1)`,
      repair: `delete from ${SCHEMA}.balances where owner = 777`,
      found: [
        ['balances', 'account 777 btc available'],
        ['entries', 'account 777 btc available'],
      ],
    },
    {
      title: 'an account that the tables lost',
      plant: `update ${SCHEMA}.balances set owner = 778 where owner = -2`,
      repair: `update ${SCHEMA}.balances set owner = -2 where owner = 778`,
      found: [
        ['balances', 'account -2 btc available'],
        ['balances', 'account 778 btc available'],
        ['entries', 'account 778 btc available'],
      ],
    },
    {
      title: 'an atom more in a ledger entry',
      plant: `${ENTRY} available_change_atoms = available_change_atoms + 1
        ${OF_ALICE()} and frame = 1`,
      repair: `${ENTRY} available_change_atoms = available_change_atoms - 1
        ${OF_ALICE()} and frame = 1`,
      found: [['entries', `account ${alice} btc available`]],
    },
    {
      title: 'all entries of an account deleted',
      plant: `update ${SCHEMA}.ledger_entries set owner = -999 where owner = -2`,
      repair: `update ${SCHEMA}.ledger_entries set owner = -2 where owner = -999`,
      found: [['entries', 'account -2 btc available']],
    },
    {
      title: 'an atom more in a request that is held',
      plant: 'update withdrawal_requests set amount_atoms = amount_atoms + 1 where id = 1',
      repair: 'update withdrawal_requests set amount_atoms = amount_atoms - 1 where id = 1',
      found: [['holds', 'withdrawal 1']],
    },
    {
      title: 'an approved withdrawal without a hold',
      plant: () => engine.holdsNow.set(9, engine.holdsNow.get(1)!) && engine.holdsNow.delete(1),
      repair: () => engine.holdsNow.set(1, engine.holdsNow.get(9)!) && engine.holdsNow.delete(9),
      found: [
        ['holds', 'withdrawal 1'],
        ['holds', 'withdrawal 9'],
      ],
    },
    {
      title: 'an atom more in a completed deposit',
      plant: 'update deposit_requests set amount_atoms = amount_atoms + 1 where id = 1',
      repair: 'update deposit_requests set amount_atoms = amount_atoms - 1 where id = 1',
      found: [['deposits', 'deposit 1']],
    },
    {
      title: 'a completed withdrawal of which the log knows nothing',
      plant: 'update withdrawal_requests set command = 4444 where id = 2',
      repair: 'update withdrawal_requests set command = 21 where id = 2',
      found: [['withdrawals', 'withdrawal 2']],
    },
    {
      title: 'a position of a channel that the outbox did not assign',
      plant: () => void (engine.sequences = { ...engine.sequences, 12: 2 }),
      repair: () => void (engine.sequences = { ...engine.sequences, 12: 1 }),
      found: [['channels', 'channel 12']],
    },
    {
      title: 'a settled position that the engine has not seen',
      plant: () => void (engine.sequences = { ...engine.sequences, 11: 2 }),
      repair: () => void (engine.sequences = { ...engine.sequences, 11: 3 }),
      found: [['channels', 'channel 11']],
    },
    {
      title: 'a row of the outbox that was deleted',
      plant: 'update outbox set sequence = 1002 where channel = 11 and sequence = 2',
      repair: 'update outbox set sequence = 2 where channel = 11 and sequence = 1002',
      found: [
        ['channels', 'outbox 11/2'],
        ['channels', 'outbox 11/4'],
      ],
    },
    {
      title: 'a change of which no notice was recorded',
      plant: `update transfer_changes set state = 'pending' where deposit_request = 1`,
      repair: `update transfer_changes set state = 'completed' where deposit_request = 1`,
      found: [['notices', 'deposit 1']],
      pausesNothing: true,
    },
    {
      title: 'a change that was not mailed within a minute',
      plant: `update transfer_changes set mailed_at = null where deposit_request = 1`,
      repair: `update transfer_changes set mailed_at = now() where deposit_request = 1`,
      found: [['notices', 'deposit 1 completed']],
      pausesNothing: true,
    },
    {
      title: 'declared holdings one atom below what users own',
      plant: `update declared_holdings set amount = 4.99999999`,
      repair: `update declared_holdings set amount = 5`,
      found: [['holdings', 'holding btc']],
    },
    {
      title: 'an atom that nobody gave to the engine',
      plant: () => engine.accountsNow.push(account(779, 1e-8, 0)),
      repair: () => void engine.accountsNow.pop(),
      found: [
        ['engine_sums', 'sum of btc'],
        ['balances', 'account 779 btc available'],
        ['holdings', 'holding btc'],
      ],
    },
  ];

  async function change(how: string | (() => void)): Promise<void> {
    if (typeof how === 'string') assert.equal((await connection.query(how)).rowCount, 1, how);
    else how();
  }

  test('each planted difference is found in the second round, named and closed', async () => {
    for (const { found, pausesNothing, plant, repair, title } of plants()) {
      await change(plant);
      const first = await pass(1);
      assert.deepEqual(first, { opened: [], closed: [], paused: [] }, `${title}: only suspected`);
      const second = await pass(1);
      const names = second.opened.map((one) => [one.check, one.object]).sort();
      assert.deepEqual(names, [...found].map((one) => [...one]).sort(), title);
      assert.deepEqual(second.paused, pausesNothing ? [] : ['btc'], title);
      for (const one of second.opened) assert.notEqual(one.expected, one.found, title);
      assert.equal((await readOpenDifferences(connection)).length, found.length, title);
      assert.deepEqual((await pass(1)).opened, [], `${title}: reported once`);
      await change(repair);
      await pass(2);
      assert.deepEqual(await readOpenDifferences(connection), [], `${title}: closed`);
      await resume();
    }
  });

  test('a pause is on record, and stays after the difference is gone', async () => {
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

  test('a hot account is found although its amounts change between the rounds', async () => {
    const [first, ...others] = engine.accountsNow;
    await change(`${BALANCE} available_atoms = available_atoms + 1 ${OF_ALICE()}`);
    await pass(1);
    engine.accountsNow = [account(alice, 2.75, 1.25), ...others];
    await change(`${BALANCE} available_atoms = available_atoms - 100000000 ${OF_ALICE()}`);
    const { opened } = await pass(1);
    const [balance] = opened.filter(({ check }) => check === 'balances');
    assert.equal(`${balance.expected} / ${balance.found}`, '2.75 btc / 2.75000001 btc');
    engine.accountsNow = [first, ...others];
    await change(`${BALANCE} available_atoms = 375000000 ${OF_ALICE()}`);
    await pass(2);
    await resume();
  });

  test('a pending burn is no difference, whichever way it ends', async () => {
    const { rows } = await connection.query(
      `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state)
       values ('burn', ${alice}, 1, 'btc', 8, ${atoms(0.01)}, 1, 'btc', 8, 7, '', 'b', 'opening')
       returning id`,
    );
    const id = Number(rows[0].id);
    const move = async (state: string) => {
      await change(`update withdrawal_requests set state = '${state}' where id = ${id}`);
      await connection.query('update transfer_changes set published_at = now(), mailed_at = now()');
      assert.deepEqual(await pass(2), { opened: [], closed: [], paused: [] }, state);
    };
    const held = { user: alice, asset: BTC, feeAsset: BTC, feeAtoms: atoms(0) };
    engine.holdsNow.set(id, { ...held, amountAtoms: atoms(0.01) });
    for (const state of ['approved', 'claimed', 'completing']) await move(state);
    engine.holdsNow.delete(id);
    await move('dismissing');
    await move('dismissed');
    await connection.query('delete from transfer_changes where withdrawal_request = $1', [id]);
    await connection.query('delete from withdrawal_requests where id = $1', [id]);
  });

  async function resume(): Promise<void> {
    await connection.query('delete from stops');
    await connection.query('update coins set allow_withdrawal = true');
  }
});

type Named = Difference & { readonly check: CheckName };

function account(owner: number, available: number, held: number): EngineAccount {
  return { owner, asset: BTC, availableAtoms: atoms(available), heldAtoms: atoms(held) };
}

/** Deposit 1 of 7 btc; withdrawal 2 of 1.5 btc with 0.5 fee has left; withdrawal 1 is approved. */
function fixture(alice: UserId): string[] {
  const entry = (owner: number, frame: number, available: number, held: number): string =>
    `insert into ${SCHEMA}.ledger_entries (owner, asset_id, frame, event_index, posting_index,
       available_change_atoms, held_change_atoms, cause_kind, cause_id, command, recorded_at)
     values (${owner}, 1, ${frame}, 0, 0, ${atoms(available)}, ${atoms(held)}, 'deposit', 1, 1,
       '2026-01-01')`;
  const withdrawal = (state: string, amount: number, command: number): string =>
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state, command)
     values ('withdrawal', ${alice}, 1, 'btc', 8, ${atoms(amount)}, 1, 'btc', 8, 0, 'a',
       'w${command}', '${state}', ${command})`;
  const outbox = (channel: number, sequence: number, request: string): string =>
    `insert into outbox (channel, sequence, kind, schema_version, record, state, frame,
       command_number, settled_at, ${request.split(' ')[0]})
     values (${channel}, ${sequence}, 'test', 1, '', 'accepted', 10, 1, now(),
       ${request.split(' ')[1]})`;
  return [
    `create table ${SCHEMA}.entries_of_test partition of ${SCHEMA}.ledger_entries default`,
    `insert into ${SCHEMA}.assets values (1, 'btc', 8, 0, now())`,
    `insert into ${SCHEMA}.projection (events_sequence, chain_hash, frame_sequence, part,
       is_complete, frame_events, projected_to, orders_per_partition)
     values (1, decode(repeat('00', 32), 'hex'), ${FRAME}, 0, true, 1, now(), 1000)`,
    `insert into ${SCHEMA}.balances values
       (${alice}, 1, ${atoms(3.75)}, ${atoms(1.25)}, now(), 1),
       (-1, 1, ${atoms(-5.5)}, 0, now(), 1), (-2, 1, ${atoms(0.5)}, 0, now(), 1)`,
    entry(alice, 1, 7, 0),
    entry(alice, 2, -2, 0),
    entry(alice, 3, -1.25, 1.25),
    entry(-1, 1, -7, 0),
    entry(-1, 2, 1.5, 0),
    entry(-2, 2, 0.5, 0),
    `insert into coins (symbol, fullname, allow_deposit, allow_withdrawal)
     values ('btc', 'Bitcoin', true, true)`,
    withdrawal('approved', 1.25, 31),
    withdrawal('completed', 1.5, 21),
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
       transaction_id, state, command)
     values ('deposit', ${alice}, 1, 'btc', 8, ${atoms(7)}, 'a', 'd1', 'completed', 11)`,
    'insert into channels values (11, 3), (12, 1)',
    outbox(11, 1, 'withdrawal_request 2'),
    outbox(11, 2, 'withdrawal_request 2'),
    outbox(11, 3, 'withdrawal_request 1'),
    outbox(12, 1, 'deposit_request 1'),
    `insert into ${SCHEMA}.deposits values (11, 'deposit', ${alice}, 1, ${atoms(7)}, 'd1', now())`,
    `insert into ${SCHEMA}.withdrawals values (21, 'withdrawal', 2, ${alice}, 1, ${atoms(1.5)}, 1,
       0, 'completed', 'w21', now(), now())`,
    `update transfer_changes set published_at = now(), mailed_at = now(),
       changed_at = now() - interval '5 minutes'`,
    `insert into declared_holdings values ('btc', 5, 'cold wallet', ${alice}, now())`,
  ];
}
