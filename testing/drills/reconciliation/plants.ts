// Discrepancies that the drill plants by SQL, each as small as possible: one atom, row or state.
// Each lists what the reconciler must report, and how it is repaired. Triggers and references are
// off while they run.

import type { CheckName } from '../../../features/reconciliation/index.ts';
import type { Connection } from '../../../infra/postgres/index.ts';
import { PROJECTION_SCHEMA } from '../../../tools/sandbox/sandbox-settings.ts';
import type { DepositRow, Material, Row } from './material.ts';

export interface Plant {
  readonly title: string;
  readonly check: CheckName;
  /** Object that must be reported. */
  readonly object: string;
  readonly plant: readonly string[];
  readonly repair: readonly string[];
  /** Plants that change the same rows are not planted together. */
  readonly touches: string;
  /** An old row, found when the pass over all rows reaches it. */
  readonly takesAPass?: true;
}

const P = PROJECTION_SCHEMA;

export async function plants(registry: Connection, material: Material): Promise<readonly Plant[]> {
  return [
    ...inBalances(material),
    ...(await inHistory(registry, material)),
    ...inDeposits(material),
    ...inWithdrawals(material),
    ...(await inChannels(registry)),
    ...inOthers(material),
  ];
}

function inBalances({ btc, busy, idle, lost, quiet, usdt }: Material): readonly Plant[] {
  const of = (owner: number, asset = usdt): string =>
    `where owner = ${owner} and asset_id = ${asset}`;
  const available = `update ${P}.balances set available_atoms = available_atoms`;
  const held = `update ${P}.balances set held_atoms = held_atoms`;
  return [
    {
      title: 'the projected balance of a busy account has an atom more',
      check: 'balances',
      object: `account ${busy} usdt available`,
      plant: [`${available} + 1 ${of(busy)}`],
      repair: [`${available} - 1 ${of(busy)}`],
      touches: 'account busy',
    },
    {
      title: 'an atom moved from the balance of one user to that of another',
      check: 'balances',
      object: `account ${lost} btc available`,
      plant: [`${available} + 1 ${of(idle, btc)}`, `${available} - 1 ${of(lost, btc)}`],
      repair: [`${available} - 1 ${of(idle, btc)}`, `${available} + 1 ${of(lost, btc)}`],
      touches: 'account idle',
    },
    {
      title: 'the projected hold of a quiet account has an atom more',
      check: 'balances',
      object: `account ${quiet} usdt held`,
      plant: [`${held} + 1 ${of(quiet)}`],
      repair: [`${held} - 1 ${of(quiet)}`],
      touches: 'account quiet',
    },
    {
      title: 'a balance is missing',
      check: 'balances',
      object: `account ${quiet} usdt available`,
      plant: [`update ${P}.balances set owner = 999999 ${of(quiet)}`],
      repair: [`update ${P}.balances set owner = ${quiet} ${of(999_999)}`],
      touches: 'account quiet',
    },
    {
      title: 'a balance belongs to an unknown user',
      check: 'balances',
      object: 'account 999998 usdt available',
      plant: [`insert into ${P}.balances values (999998, ${usdt}, 1, 0, now(), 1)`],
      repair: [`delete from ${P}.balances where owner = 999998`],
      touches: 'account 999998',
    },
  ];
}

/** In entries, fills and orders. */
async function inHistory(
  registry: Connection,
  { busy, order, usdt }: Material,
): Promise<readonly Plant[]> {
  const { rows: entries } = await registry.query(
    `select frame, event_index, posting_index, (select max(from_frame) from log_ranges
       where from_frame <= frame) as range
     from ${P}.ledger_entries where owner = $1 and asset_id = $2
     order by recorded_at, frame, event_index, posting_index limit 2`,
    [busy, usdt],
  );
  const { rows: fills } = await registry.query(
    `select f.trade, (select max(from_frame) from log_ranges where from_frame <= t.frame) as range
     from ${P}.fills f join ${P}.trades t on t.number = f.trade and t.executed_at = f.executed_at
     where f.user_id = $1 order by f.executed_at limit 1`,
    [busy],
  );
  const entry = (index: number, by: string): string => {
    const { event_index, frame, posting_index } = entries[index];
    return `update ${P}.ledger_entries
      set available_change_atoms = available_change_atoms ${by}
      where owner = ${busy} and asset_id = ${usdt} and frame = ${frame}
        and event_index = ${event_index} and posting_index = ${posting_index}`;
  };
  const fee = `update ${P}.fills set fee_atoms = fee_atoms`;
  const filled = `update ${P}.orders set filled_lots =`;
  return [
    {
      title: 'the first ledger entry of a busy account has an atom more',
      check: 'entries',
      object: `account ${busy} usdt available`,
      plant: [entry(0, '+ 1')],
      repair: [entry(0, '- 1')],
      touches: 'account busy',
      takesAPass: true,
    },
    {
      title: 'an atom moved from one entry of an account to another',
      check: 'log',
      object: `ledger entries from frame ${entries[0].range}`,
      plant: [entry(0, '+ 1'), entry(1, '- 1')],
      repair: [entry(0, '- 1'), entry(1, '+ 1')],
      touches: 'account busy',
      takesAPass: true,
    },
    {
      title: 'the fee of a fill has an atom more',
      check: 'log',
      object: `trades and fills from frame ${fills[0].range}`,
      plant: [`${fee} + 1 where user_id = ${busy} and trade = ${fills[0].trade}`],
      repair: [`${fee} - 1 where user_id = ${busy} and trade = ${fills[0].trade}`],
      touches: 'fill',
      takesAPass: true,
    },
    {
      title: 'an open order shows a filled lot',
      check: 'orders',
      object: `order ${order}`,
      plant: [`${filled} 1 where number = ${order}`],
      repair: [`${filled} 0 where number = ${order}`],
      touches: 'order',
    },
  ];
}

/** Each changes a different deposit. */
function inDeposits({ deposits }: Material): readonly Plant[] {
  const [more, other, alike, gone, twice] = deposits;
  const amount = 'update deposit_requests set amount_atoms = amount_atoms';
  const owner = 'update deposit_requests set user_id = user_id';
  const shown = `update ${P}.deposits set amount_atoms = amount_atoms`;
  const of = (deposit: DepositRow): Pick<Plant, 'check' | 'object' | 'touches'> => {
    const object = `deposit ${deposit.id}`;
    return { check: 'deposits', object, touches: object };
  };
  return [
    {
      title: 'a completed deposit has an atom more than the log',
      ...of(more),
      plant: [`${amount} + 1 where id = ${more.id}`],
      repair: [`${amount} - 1 where id = ${more.id}`],
    },
    {
      title: 'a completed deposit belongs to another user',
      ...of(other),
      plant: [`${owner} - 1 where id = ${other.id}`],
      repair: [`${owner} + 1 where id = ${other.id}`],
    },
    {
      title: 'a deposit and its projected row have an atom more',
      ...of(alike),
      plant: [
        `${shown} + 1 where command = ${alike.command}`,
        `${amount} + 1 where id = ${alike.id}`,
      ],
      repair: [
        `${shown} - 1 where command = ${alike.command}`,
        `${amount} - 1 where id = ${alike.id}`,
      ],
    },
    {
      title: 'a second completed request names the same credit',
      ...of(twice),
      plant: [
        `create table drill_twice as select * from deposit_requests where id = ${twice.id}`,
        `update drill_twice set id = 900001, cause = 'x/y/0', transaction_id = 'forged'`,
        'insert into deposit_requests overriding system value select * from drill_twice',
        `update outbox set deposit_request = 900001 where deposit_request = ${twice.id}`,
      ],
      repair: [
        `update outbox set deposit_request = ${twice.id} where deposit_request = 900001`,
        'delete from deposit_requests where id = 900001',
        'drop table drill_twice',
      ],
    },
    {
      title: 'a credit of the log has no request',
      check: 'channels',
      object: `outbox 12/${gone.sequence}`,
      touches: `deposit ${gone.id}`,
      plant: [
        `create table drill_gone as select * from deposit_requests where id = ${gone.id}`,
        `update outbox set deposit_request = null where deposit_request = ${gone.id}`,
        `delete from deposit_requests where id = ${gone.id}`,
      ],
      repair: [
        'insert into deposit_requests overriding system value select * from drill_gone',
        `update outbox set deposit_request = ${gone.id} where command_number = ${gone.command}`,
        'drop table drill_gone',
      ],
    },
  ];
}

/** Each changes a different withdrawal. */
function inWithdrawals({ approved, paid, transfer }: Material): readonly Plant[] {
  const withdrawal = 'update withdrawal_requests set';
  const planted = (
    title: string,
    { id }: Row,
    [plant, repair]: readonly [string, string],
    part = '',
  ): Plant => ({
    title,
    check: 'withdrawals',
    object: `${part}withdrawal ${id}`,
    plant: [`${withdrawal} ${plant} where id = ${id}`],
    repair: [`${withdrawal} ${repair} where id = ${id}`],
    touches: `withdrawal ${id}`,
  });
  const more = (column: string) =>
    [`${column} = ${column} + 1`, `${column} = ${column} - 1`] as const;
  return [
    planted('a paid withdrawal is shown as rejected', paid[0], [
      `state = 'rejected'`,
      `state = 'completed'`,
    ]),
    planted('the fee of a completed withdrawal has an atom more', paid[1], more('fee_atoms')),
    planted('an approved withdrawal is shown as canceled', approved[0], [
      `state = 'canceled'`,
      `state = 'approved'`,
    ]),
    planted('a held withdrawal asks for an atom more', approved[1], more('amount_atoms')),
    planted(
      'an approved withdrawal has another address',
      approved[2],
      [`address = address || 'x'`, 'address = left(address, -1)'],
      'terms of ',
    ),
    planted('a completed transfer has an atom more', transfer, more('amount_atoms')),
  ];
}

async function inChannels(registry: Connection): Promise<readonly Plant[]> {
  const { rows } = await registry.query('select last_assigned from channels where channel = 12');
  const [{ last_assigned: last }] = rows;
  const assigned = 'update channels set last_assigned = last_assigned';
  return [
    {
      title: 'a row of the outbox is missing',
      check: 'channels',
      object: 'outbox 12/1',
      plant: ['update outbox set sequence = 1000001 where channel = 12 and sequence = 1'],
      repair: ['update outbox set sequence = 1 where channel = 12 and sequence = 1000001'],
      touches: 'outbox 12/1',
    },
    {
      title: 'the last row of a channel is missing',
      check: 'channels',
      object: `outbox 12/${last}`,
      plant: [
        `create table drill_last as select * from outbox where channel = 12 and sequence = ${last}`,
        `delete from outbox where channel = 12 and sequence = ${last}`,
      ],
      repair: ['insert into outbox select * from drill_last', 'drop table drill_last'],
      touches: 'end of channel 12',
    },
    {
      title: 'the engine has seen a position that the outbox did not assign',
      check: 'channels',
      object: 'channel 12',
      plant: [`${assigned} - 1 where channel = 12`],
      repair: [`${assigned} + 1 where channel = 12`],
      touches: 'end of channel 12',
    },
  ];
}

function inOthers({ deposits, lost, quiet }: Material): readonly Plant[] {
  const { id } = deposits[deposits.length - 1];
  const state = `where id = (select max(id) from transfer_changes where deposit_request = ${id})`;
  const level = 'update users set verification_level =';
  return [
    {
      title: 'a user of the engine has no row',
      check: 'users',
      object: `user ${lost}`,
      plant: [
        `create table drill_user as select * from users where id = ${lost}`,
        `delete from users where id = ${lost}`,
      ],
      repair: [
        'insert into users overriding system value select * from drill_user',
        'drop table drill_user',
      ],
      touches: 'user',
    },
    {
      title: 'the tier of a user in the registry is not that of the engine',
      check: 'users',
      object: `user ${quiet}`,
      plant: [`${level} 2 where id = ${quiet}`],
      repair: [`${level} 1 where id = ${quiet}`],
      touches: 'tier',
    },
    {
      title: 'the last change of a deposit was not recorded',
      check: 'notices',
      object: `deposit ${id}`,
      plant: [`update transfer_changes set state = 'pending' ${state}`],
      repair: [`update transfer_changes set state = 'completed' ${state}`],
      touches: `deposit ${id}`,
    },
    {
      title: 'the declared holdings are an atom below what users own',
      check: 'holdings',
      // Not traded, because fees would immediately lower what users own.
      object: 'holding eur',
      plant: [
        `insert into declared_holdings
         select 'eur', (select sum(available_atoms + held_atoms) - 1 from ${P}.balances
           where owner > 0 and asset_id = a.id) / power(10::numeric, a.scale), 'drill', ${quiet},
           now() from ${P}.assets a where a.symbol = 'eur'`,
      ],
      repair: ['delete from declared_holdings'],
      touches: 'holdings',
    },
  ];
}
