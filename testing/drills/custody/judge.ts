// Compares what was credited with the chain. The oracle is the chain and the log: receipts and
// balances of the node, and the deposits that the projector read from the log.

import type { SentDeposit } from './deposits.ts';
import { type DrillStage, NETWORK } from './stage.ts';

export interface Verdict {
  /** Users and coins with less than the chain shows. */
  readonly lost: number;
  /** Credits that no payment of their transaction explains. */
  readonly doubleCredited: number;
  /** Users and coins with more than the chain shows. */
  readonly tooMuch: number;
  /** Coins whose recorded units differ from the chain's or from the equation. */
  readonly holdingsDifference: number;
  readonly credited: number;
  readonly reasons: readonly string[];
}

type CoinName = keyof DrillStage['coins'];
const COINS: readonly CoinName[] = ['native', 'token', 'noReturn'];

export async function judge(stage: DrillStage, sent: readonly SentDeposit[]): Promise<Verdict> {
  const height = await cursorHeight(stage);
  const owed = await owedUnits(stage, sent, height);
  const paid = await creditedAtoms(stage, sent);
  const small = await smallUnits(stage);
  const reasons: string[] = [];
  let [lost, tooMuch] = [0, 0];
  for (const coin of COINS) {
    const { asset, digits, scale } = stage.coins[coin];
    for (const { user } of stage.owners) {
      const key = `${user} ${asset}`;
      const units = (owed.get(key) ?? 0n) - (small.get(key) ?? 0n);
      // Each deposit loses less than an atom to rounding, which stays on the address as dust.
      const count = sent.filter((one) => one.owner.user === user).length;
      const perAtom = 10n ** BigInt(Math.max(0, digits - scale));
      const credited = (paid.atoms.get(key) ?? 0n) * perAtom;
      if (credited > units) {
        tooMuch += 1;
        reasons.push(`user ${user} has ${credited} of ${coin}, more than ${units}`);
      }
      if (units - credited >= perAtom * BigInt(2 * count + 1)) {
        lost += 1;
        reasons.push(`user ${user} has ${credited} of ${coin}, less than ${units}`);
      }
    }
  }
  const differences = await holdingsDifferences(stage, height);
  reasons.push(...differences, ...paid.repeated);
  return {
    lost,
    doubleCredited: paid.repeated.length,
    tooMuch,
    holdingsDifference: differences.length,
    credited: paid.count,
    reasons,
  };
}

async function cursorHeight({ sandbox }: DrillStage): Promise<number> {
  const text = 'select height from custody_networks where network = $1';
  return Number((await sandbox.admin.registry.query(text, [NETWORK])).rows[0].height);
}

/** Units of payments in final blocks, by user and asset, from the receipts of the node. */
async function owedUnits(
  { chain, coins }: DrillStage,
  sent: readonly SentDeposit[],
  height: number,
): Promise<Map<string, bigint>> {
  const owed = new Map<string, bigint>();
  for (const { hash, owner, payments } of sent) {
    const receipt = await chain.receipt(hash);
    // A reorganization drops transactions.
    if (receipt === null || receipt.status !== '0x1') continue;
    if (Number(receipt.blockNumber) > height) continue;
    for (const { coin, units } of payments) add(owed, `${owner.user} ${coins[coin].asset}`, units);
  }
  return owed;
}

async function creditedAtoms({ coins, owners, sandbox }: DrillStage, sent: readonly SentDeposit[]) {
  // The log names the transaction of a credit, which can have several payments.
  const payments = new Map<string, number>();
  for (const one of sent) {
    for (const { coin } of one.payments) {
      const cause = `${coins[coin].asset} ${one.hash.slice(2)}`;
      payments.set(cause, (payments.get(cause) ?? 0) + 1);
    }
  }
  const { rows } = await sandbox.admin.projections.query(
    `select user_id, asset_id, amount_atoms, reference from deposits
     where kind = 'deposit' and user_id = any($1)`,
    [owners.map(({ user }) => user)],
  );
  const atoms = new Map<string, bigint>();
  const seen = new Map<string, number>();
  const repeated: string[] = [];
  for (const row of rows) {
    add(atoms, `${row.user_id} ${row.asset_id}`, BigInt(row.amount_atoms));
    const cause = `${row.asset_id} ${row.reference}`;
    const times = (seen.get(cause) ?? 0) + 1;
    seen.set(cause, times);
    if (times > (payments.get(cause) ?? 0)) repeated.push(`${cause} was credited ${times} times`);
  }
  return { atoms, repeated, count: rows.length };
}

async function smallUnits({ sandbox }: DrillStage): Promise<Map<string, bigint>> {
  const { rows } = await sandbox.admin.registry.query(
    `select user_id, asset_id, sum(units) as units from custody_deposits
     where state = 'small' group by user_id, asset_id`,
  );
  const small = new Map<string, bigint>();
  for (const row of rows) add(small, `${row.user_id} ${row.asset_id}`, BigInt(row.units));
  return small;
}

/** Coins on all addresses, by the chain; they must be recorded, and explained by deposits. */
async function holdingsDifferences(stage: DrillStage, height: number): Promise<string[]> {
  const { chain, coins, owners, sandbox } = stage;
  const differences: string[] = [];
  for (const name of COINS) {
    const { asset, contract } = coins[name];
    const onChain = await total(
      owners.map(({ address }) => chain.units(address, contract, height)),
    );
    const { rows } = await sandbox.admin.registry.query(
      `select (select coalesce(sum(units), 0) from custody_coins where asset_id = $1) as coins,
         (select coalesce(sum(units), 0) from custody_deposits
          where asset_id = $1 and finalized_at is not null) as deposits`,
      [asset],
    );
    const [row] = rows;
    if (BigInt(row.coins) !== onChain || BigInt(row.deposits) !== onChain) {
      differences.push(
        `${name}: ${onChain} on the chain, ${row.coins} recorded, ${row.deposits} deposited`,
      );
    }
  }
  return differences;
}

async function total(parts: readonly Promise<bigint>[]): Promise<bigint> {
  return (await Promise.all(parts)).reduce((sum, part) => sum + part, 0n);
}

function add(sums: Map<string, bigint>, key: string, units: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + units);
}
