// Records a final block in one transaction: cursor, deposits, their requests and commands, coins
// and spends. Rejects a block that does not follow the cursor. Never reads a chain: the watcher
// verified everything in the block.

import type { Atoms, UserId } from '../../../core/money/index.ts';
import type {
  CustodyCoin,
  CustodyFile,
  CustodyNetwork,
} from '../../../infra/custody-file/index.ts';
import { type Connection, inTransaction, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { causeOf, dropChainDeposit, lockFamilies, moveChainDeposit } from '../../payments/index.ts';
import { evmAddressText } from '../addresses/address-owners.ts';
import { atomsOfUnits, decideDeposit } from './decide-deposit.ts';

/** A verified payment to an own address. */
export interface IncomingTransfer {
  readonly coin: CustodyCoin;
  /** 64 digits in hexadecimal. */
  readonly txid: string;
  /** Position of the log (token) or of the call (native coin) in its transaction, in digits. */
  readonly output: string;
  readonly address: Uint8Array;
  /** Owner by derivation. */
  readonly user: UserId;
  readonly units: bigint;
}

/** Change of one coin on one own address in this block. */
export interface ChangedCoin {
  readonly coin: CustodyCoin;
  readonly address: Uint8Array;
  /** Units that left the address in this block, including the network fees that it paid. */
  readonly outUnits: bigint;
  /** Balance proven after this block; undefined if the node no longer has the state. */
  readonly provenUnits: bigint | undefined;
}

export interface BlockName {
  readonly height: number;
  readonly hash: Uint8Array;
}

export interface FinalBlock extends BlockName {
  readonly parent: Uint8Array;
  readonly incoming: readonly IncomingTransfer[];
  /** Each coin and address touched in this block, at most once. */
  readonly changed: readonly ChangedCoin[];
}

export interface RecordContext {
  readonly file: CustodyFile;
  readonly network: CustodyNetwork;
  /** Assets whose deposits operators stopped. */
  readonly stoppedAssets: ReadonlySet<number>;
}

export type Recorded =
  | { readonly kind: 'recorded'; readonly deposits: number }
  /** Another process recorded it, or the cursor is elsewhere: read the cursor again. */
  | { readonly kind: 'out_of_order'; readonly height: number }
  /** The network is halted now: its reason is stored, and nothing was credited. */
  | { readonly kind: 'halted'; readonly reason: string };

export interface Cursor extends BlockName {
  readonly tipHeight: number;
  readonly haltedReason: string | undefined;
}

/** Blocks without a deposit that are kept. */
const BLOCKS_KEPT = 10_000;

/** Returns undefined if custody of the network was not opened. */
export async function readCursor(
  statements: Statements,
  network: string,
): Promise<Cursor | undefined> {
  const { rows } = await statements.query('select * from custody_networks where network = $1', [
    network,
  ]);
  return rows.map(cursorOf)[0];
}

/** Runs in its own transaction, which credits everything in the block or nothing. */
export function recordFinalBlock(
  connection: Connection,
  context: RecordContext,
  block: FinalBlock,
): Promise<Recorded> {
  return inTransaction(connection, async () => {
    const { name } = context.network;
    // Users before requests before the outbox, like every transaction that moves money.
    await lockFamilies(connection, [...new Set(block.incoming.map(({ user }) => user))]);
    const cursor = await lockCursor(connection, name);
    if (cursor === undefined) throw new Error(`custody of ${name} was not opened`);
    if (cursor.haltedReason !== undefined) return { kind: 'halted', reason: cursor.haltedReason };
    if (block.height !== cursor.height + 1) return { kind: 'out_of_order', height: cursor.height };
    const balances = brokenChain(cursor, block) ?? (await compareCoins(connection, name, block));
    if (typeof balances === 'string') return halt(connection, name, balances);
    await changeCoins(connection, name, block, balances);
    for (const incoming of block.incoming) await addDeposit(connection, context, block, incoming);
    await moveCursor(connection, name, block);
    return { kind: 'recorded', deposits: block.incoming.length };
  });
}

/** Stops the network: no credits until operators resume it. Keeps the first reason. */
export async function haltNetwork(
  connection: Connection,
  network: string,
  reason: string,
): Promise<void> {
  await inTransaction(connection, () => halt(connection, network, reason));
}

/** Records the newest block for confirmations. */
export async function recordTip(
  statements: Statements,
  network: string,
  height: number,
): Promise<void> {
  await statements.query(
    `update custody_networks set tip_height = $2, updated_at = now()
     where network = $1 and tip_height <> $2`,
    [network, height],
  );
}

async function halt(connection: Connection, network: string, reason: string): Promise<Recorded> {
  await connection.query(
    `update custody_networks set halted_reason = $2, halted_at = now()
     where network = $1 and halted_reason is null`,
    [network, reason],
  );
  return { kind: 'halted', reason };
}

function brokenChain(cursor: Cursor, { height, parent }: FinalBlock): string | undefined {
  // Nothing is recorded before the first block.
  if (cursor.hash.length === 0 || Buffer.from(parent).equals(cursor.hash)) return undefined;
  const hex = (hash: Uint8Array) => `0x${Buffer.from(hash).toString('hex')}`;
  return `final block ${height} follows ${hex(parent)}, not the recorded ${hex(cursor.hash)}`;
}

interface CoinBalance extends ChangedCoin {
  readonly units: bigint;
  /** Units that no transfer explains. */
  readonly unexplainedUnits: bigint;
}

/**
 * Adds the transfers of the block to each balance and compares it with the proven one. Returns the
 * reason to halt if coins are missing. Changes nothing.
 */
async function compareCoins(
  connection: Connection,
  network: string,
  { changed, height, incoming }: FinalBlock,
): Promise<CoinBalance[] | string> {
  const before = await readCoins(connection, network, changed);
  const balances: CoinBalance[] = [];
  for (const [at, change] of changed.entries()) {
    const { address, coin, outUnits, provenUnits } = change;
    const inUnits = incoming
      .filter((one) => one.coin.asset === coin.asset && isSame(one.address, address))
      .reduce((total, { units }) => total + units, 0n);
    const expected = before[at] + inUnits - outUnits;
    const units = provenUnits ?? expected;
    if (units < expected || units < 0n) {
      const place = `${coin.symbol} of ${evmAddressText(network, address)} at block ${height}`;
      return `${place}: expected ${expected} units, proven ${units}`;
    }
    balances.push({ ...change, units, unexplainedUnits: units - expected });
  }
  return balances;
}

async function changeCoins(
  connection: Connection,
  network: string,
  block: FinalBlock,
  balances: readonly CoinBalance[],
): Promise<void> {
  for (const { address, coin, outUnits, unexplainedUnits, units } of balances) {
    const at = { address, coin };
    if (unexplainedUnits > 0n) {
      await addUnexplained(connection, network, block, { ...at, units: unexplainedUnits });
    }
    if (outUnits > 0n) await addSpend(connection, network, block, { ...at, units: outUnits });
    await connection.query(
      `insert into custody_coins (network, asset_id, address, units, height)
       values ($1, $2, $3, $4, $5)
       on conflict (network, asset_id, address) do update
         set units = excluded.units, height = excluded.height`,
      [network, coin.asset, Buffer.from(address), units, block.height],
    );
  }
}

/** Returns the units before the block, in the order of the changes. */
async function readCoins(
  connection: Connection,
  network: string,
  changed: readonly ChangedCoin[],
): Promise<bigint[]> {
  const { rows } = await connection.query(
    `select coalesce(c.units, 0) as units
     from unnest($2::bigint[], $3::bytea[]) with ordinality as n(asset_id, address, number)
     left join custody_coins c
       on c.network = $1 and c.asset_id = n.asset_id and c.address = n.address
     order by n.number`,
    [
      network,
      changed.map(({ coin }) => coin.asset),
      changed.map(({ address }) => Buffer.from(address)),
    ],
  );
  return rows.map(({ units }) => BigInt(units));
}

interface MovedUnits {
  readonly address: Uint8Array;
  readonly coin: CustodyCoin;
  readonly units: bigint;
}

async function addSpend(
  connection: Connection,
  network: string,
  { hash, height }: BlockName,
  { address, coin, units }: MovedUnits,
): Promise<void> {
  await connection.query(
    `insert into custody_spends (network, asset_id, address, units, height, block_hash)
     values ($1, $2, $3, $4, $5, $6)`,
    [network, coin.asset, Buffer.from(address), units, height, Buffer.from(hash)],
  );
}

/** Coins that arrived without a transfer that anyone could read, such as a validator's reward. */
async function addUnexplained(
  connection: Connection,
  network: string,
  { hash, height }: BlockName,
  { address, coin, units }: MovedUnits,
): Promise<void> {
  const { atoms, dustUnits } = atomsOfUnits(units, coin);
  await connection.query(
    `insert into custody_deposits (network, asset_id, cause, txid, output, address, units, atoms,
       dust_units, height, block_hash, state, reason, finalized_at)
     values ($1, $2, $3, '', '', $4, $5, $6, $7, $8, $9, 'unattributed', $10, now())`,
    [
      network,
      coin.asset,
      `balance/${height}/${Buffer.from(address).toString('hex')}`,
      Buffer.from(address),
      units,
      atoms,
      dustUnits,
      height,
      Buffer.from(hash),
      'no transfer explains the balance',
    ],
  );
}

async function addDeposit(
  connection: Connection,
  context: RecordContext,
  block: FinalBlock,
  incoming: IncomingTransfer,
): Promise<void> {
  const { address, coin, output, txid, units, user } = incoming;
  const { atoms, dustUnits } = atomsOfUnits(units, coin);
  const { rows } = await connection.query(
    `insert into custody_deposits as d (network, asset_id, cause, txid, output, address, user_id,
       units, atoms, dust_units, height, block_hash, state, finalized_at)
     values ($1, $2, $3, $4, $5, $6, (select id from users where id = $7 and state <> 'erased'),
       $8, $9, $10, $11, $12, 'held', now())
     on conflict (network, asset_id, cause) do update set height = excluded.height,
       block_hash = excluded.block_hash, address = excluded.address, user_id = excluded.user_id,
       units = excluded.units, atoms = excluded.atoms, dust_units = excluded.dust_units,
       state = 'held', finalized_at = now(), updated_at = now()
       where d.state in ('pending', 'dropped')
     returning id`,
    [
      context.network.name,
      coin.asset,
      causeOf({ transactionId: txid, output }),
      txid,
      output,
      Buffer.from(address),
      user,
      units,
      atoms,
      dustUnits,
      block.height,
      Buffer.from(block.hash),
    ],
  );
  // A final deposit is recorded once: a rescan finds it again.
  if (rows.length > 0)
    await settleDeposit(connection, context, { ...incoming, id: Number(rows[0].id) });
}

/** Credits final deposits that were held while deposits of their coin were stopped. */
export function creditHeld(connection: Connection, context: RecordContext): Promise<number> {
  const coins = context.file.coins.filter(
    ({ asset, network }) => network === context.network.name && !context.stoppedAssets.has(asset),
  );
  return inTransaction(connection, async () => {
    const users = await connection.query(
      `select distinct user_id from custody_deposits
       where state = 'held' and network = $1 and asset_id = any($2::bigint[])`,
      [context.network.name, coins.map(({ asset }) => asset)],
    );
    if (users.rows.length === 0) return 0;
    await lockFamilies(
      connection,
      users.rows.map(({ user_id }) => Number(user_id) as UserId),
    );
    await lockCursor(connection, context.network.name);
    const { rows } = await connection.query(
      `select * from custody_deposits
       where state = 'held' and network = $1 and asset_id = any($2::bigint[])
         and user_id = any($3::bigint[]) order by id`,
      [
        context.network.name,
        coins.map(({ asset }) => asset),
        users.rows.map(({ user_id }) => user_id),
      ],
    );
    for (const row of rows) {
      await settleDeposit(connection, context, {
        id: Number(row.id),
        coin: coins.find(({ asset }) => asset === Number(row.asset_id))!,
        txid: row.txid,
        output: row.output,
        address: row.address,
        user: Number(row.user_id) as UserId,
        units: BigInt(row.units),
      });
    }
    return rows.length;
  });
}

/** Decides about a final deposit, and moves its request. */
async function settleDeposit(
  connection: Connection,
  { network, stoppedAssets }: RecordContext,
  deposit: IncomingTransfer & { readonly id: number },
): Promise<void> {
  const { address, coin, id, output, txid, units, user } = deposit;
  const sums = await readSums(connection, id, coin);
  const decision = decideDeposit({
    credit: coin.credit,
    atoms: atomsOfUnits(units, coin).atoms,
    ...sums,
    isStopped: stoppedAssets.has(coin.asset),
  });
  if (!('atoms' in decision)) {
    const reason = 'reason' in decision ? decision.reason : null;
    await setState(connection, [id], { state: decision.state, reason, request: null });
    if (decision.state === 'unattributed') await dropRequest(connection, id);
    return;
  }
  const request = await moveChainDeposit(
    connection,
    {
      user,
      asset: { id: coin.asset, currency: coin.symbol, scale: coin.scale },
      amountAtoms: decision.atoms as Atoms,
      network: network.name,
      address: evmAddressText(network.name, address),
      transactionId: txid,
      output,
    },
    decision.state === 'credited' ? 'credit' : 'submit',
  );
  if (request instanceof Refused) {
    const reason = `request refused: ${request.key}`;
    await setState(connection, [id], { state: 'unattributed', reason, request: null });
    await dropRequest(connection, id);
    return;
  }
  const { reason = null, state } = decision;
  await setState(connection, [id, ...sums.small], { state, reason, request });
}

/** Cancels the announced request of a deposit that credits no user. */
async function dropRequest(connection: Connection, id: number): Promise<void> {
  const { rows } = await connection.query(
    'select deposit_request from custody_deposits where id = $1 and deposit_request is not null',
    [id],
  );
  for (const row of rows) await dropChainDeposit(connection, Number(row.deposit_request));
}

async function readSums(connection: Connection, id: number, { asset, network }: CustodyCoin) {
  const { rows } = await connection.query(
    `select d.user_id is not null as has_owner, s.small, s.small_atoms, h.hour_atoms
     from custody_deposits d
     cross join lateral (
       select coalesce(array_agg(id), '{}') as small, coalesce(sum(atoms), 0) as small_atoms
       from custody_deposits
       where state = 'small' and user_id = d.user_id and asset_id = $2 and network = $3
     ) s
     cross join lateral (
       select coalesce(sum(atoms), 0) as hour_atoms from custody_deposits
       where state = 'credited' and asset_id = $2 and finalized_at > now() - interval '1 hour'
     ) h
     where d.id = $1`,
    [id, asset, network],
  );
  const [row] = rows;
  return {
    hasOwner: row.has_owner as boolean,
    small: row.small.map(Number) as number[],
    smallAtoms: BigInt(row.small_atoms),
    hourAtoms: BigInt(row.hour_atoms),
  };
}

interface NewState {
  readonly state: string;
  readonly reason: string | null;
  readonly request: number | null;
}

/** Keeps the request of an announced deposit, which users see until it is credited. */
async function setState(
  connection: Connection,
  ids: readonly number[],
  { reason, request, state }: NewState,
): Promise<void> {
  await connection.query(
    `update custody_deposits set state = $2, reason = $3,
       deposit_request = coalesce($4, deposit_request), updated_at = now()
     where id = any($1::bigint[])`,
    [ids, state, reason, request],
  );
}

async function lockCursor(connection: Connection, network: string): Promise<Cursor | undefined> {
  const { rows } = await connection.query(
    'select * from custody_networks where network = $1 for update',
    [network],
  );
  return rows.map(cursorOf)[0];
}

async function moveCursor(
  connection: Connection,
  network: string,
  { changed, hash, height, incoming, parent }: FinalBlock,
): Promise<void> {
  await connection.query(
    `insert into custody_blocks (network, height, hash, parent, has_money)
     values ($1, $2, $3, $4, $5)`,
    [network, height, Buffer.from(hash), Buffer.from(parent), incoming.length + changed.length > 0],
  );
  await connection.query(
    'delete from custody_blocks where network = $1 and height <= $2 and not has_money',
    [network, height - BLOCKS_KEPT],
  );
  await connection.query(
    `update custody_networks set height = $2, hash = $3, tip_height = greatest(tip_height, $2),
       updated_at = now()
     where network = $1`,
    [network, height, Buffer.from(hash)],
  );
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function cursorOf(row: any): Cursor {
  return {
    height: Number(row.height),
    hash: row.hash,
    tipHeight: Number(row.tip_height),
    haltedReason: row.halted_reason ?? undefined,
  };
}
