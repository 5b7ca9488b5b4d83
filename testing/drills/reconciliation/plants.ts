// Differences that the drill plants by SQL, each as small as it can be: one atom, row or state.
// Each names what the reconciler must say of it, and how it is repaired.

import type { CheckName } from '../../../features/reconciliation/index.ts';
import type { Connection } from '../../../infra/postgres/index.ts';
import { PROJECTION_SCHEMA } from '../../../tools/sandbox/sandbox-settings.ts';

export interface Plant {
  readonly title: string;
  readonly check: CheckName;
  /** The object that must be named. */
  readonly object: string;
  readonly plant: string;
  readonly repair: string;
  /** An old row: found when the walk over all rows comes by. */
  readonly takesAPass?: true;
}

/** A user who trades, and one who does not. */
export interface Owners {
  readonly busy: number;
  readonly quiet: number;
}

const P = PROJECTION_SCHEMA;

export async function plants(registry: Connection, owners: Owners): Promise<readonly Plant[]> {
  const { rows: coins } = await registry.query(`select id from ${P}.assets where symbol = 'usdt'`);
  const { rows: deposits } = await registry.query(
    `select max(id) as id from deposit_requests where state = 'completed'
       and kind in ('deposit', 'mint')`,
  );
  const [{ id: usdt }] = coins;
  const [{ id: deposit }] = deposits;
  return [...inTables(usdt, owners), ...inRegistry(deposit, owners)];
}

/** In the projected tables. */
function inTables(usdt: string, { busy, quiet }: Owners): readonly Plant[] {
  const of = (owner: number): string => `where owner = ${owner} and asset_id = ${usdt}`;
  const first = (owner: number): string =>
    `${of(owner)} and (recorded_at, frame) = (select recorded_at, frame from ${P}.ledger_entries
       ${of(owner)} order by recorded_at, frame limit 1)`;
  const available = `update ${P}.balances set available_atoms = available_atoms`;
  const held = `update ${P}.balances set held_atoms = held_atoms`;
  const entry = `update ${P}.ledger_entries set available_change_atoms = available_change_atoms`;
  return [
    {
      title: 'the projected balance of a busy account has an atom more',
      check: 'balances',
      object: `account ${busy} usdt available`,
      plant: `${available} + 1 ${of(busy)}`,
      repair: `${available} - 1 ${of(busy)}`,
    },
    {
      title: 'the projected hold of a quiet account has an atom more',
      check: 'balances',
      object: `account ${quiet} usdt held`,
      plant: `${held} + 1 ${of(quiet)}`,
      repair: `${held} - 1 ${of(quiet)}`,
    },
    {
      title: 'a balance is missing',
      check: 'balances',
      object: `account ${quiet} usdt available`,
      plant: `update ${P}.balances set owner = 999999 ${of(quiet)}`,
      repair: `update ${P}.balances set owner = ${quiet} ${of(999_999)}`,
    },
    {
      title: 'a balance belongs to nobody',
      check: 'balances',
      object: 'account 999998 usdt available',
      plant: `insert into ${P}.balances values (999998, ${usdt}, 1, 0, now(), 1)`,
      repair: `delete from ${P}.balances where owner = 999998`,
    },
    {
      title: 'the first ledger entry of a busy account has an atom more',
      check: 'entries',
      object: `account ${busy} usdt available`,
      plant: `${entry} + 1 ${first(busy)}`,
      repair: `${entry} - 1 ${first(busy)}`,
      takesAPass: true,
    },
  ];
}

/** In the tables of people and operators. */
function inRegistry(deposit: string, { quiet }: Owners): readonly Plant[] {
  const amount = 'update deposit_requests set amount_atoms = amount_atoms';
  const owner = 'update deposit_requests set user_id = user_id';
  const state = `where id =
    (select max(id) from transfer_changes where deposit_request = ${deposit})`;
  return [
    {
      title: 'a completed deposit has an atom more than the log',
      check: 'deposits',
      object: `deposit ${deposit}`,
      plant: `${amount} + 1 where id = ${deposit}`,
      repair: `${amount} - 1 where id = ${deposit}`,
    },
    {
      title: 'a completed deposit belongs to another user',
      check: 'deposits',
      object: `deposit ${deposit}`,
      plant: `${owner} - 1 where id = ${deposit}`,
      repair: `${owner} + 1 where id = ${deposit}`,
    },
    {
      title: 'a row of the outbox is missing',
      check: 'channels',
      object: 'outbox 12/1',
      plant: 'update outbox set sequence = 1000001 where channel = 12 and sequence = 1',
      repair: 'update outbox set sequence = 1 where channel = 12 and sequence = 1000001',
    },
    {
      title: 'the engine has seen a position that the outbox did not assign',
      check: 'channels',
      object: 'channel 12',
      plant: 'update channels set last_assigned = last_assigned - 1 where channel = 12',
      repair: 'update channels set last_assigned = last_assigned + 1 where channel = 12',
    },
    {
      title: 'the last change of a deposit was not recorded',
      check: 'notices',
      object: `deposit ${deposit}`,
      plant: `update transfer_changes set state = 'pending' ${state}`,
      repair: `update transfer_changes set state = 'completed' ${state}`,
    },
    {
      title: 'the declared holdings are an atom below what users own',
      check: 'holdings',
      // Nobody trades it: fees would lower what users own at once.
      object: 'holding eur',
      plant: `insert into declared_holdings
        select 'eur', (select sum(available_atoms + held_atoms) - 1 from ${P}.balances
          where owner > 0 and asset_id = a.id) / power(10::numeric, a.scale), 'drill', ${quiet},
          now() from ${P}.assets a where a.symbol = 'eur'`,
      repair: 'delete from declared_holdings',
    },
  ];
}
