// Limits of the custody file for credits from chains. The signed file and the dispatcher's own
// record of what it sent decide, not what the watcher wrote: a thief with the watcher's database
// login can invent credits only up to the limit of an hour.

import type { UserId } from '../../../core/money/index.ts';
import { evmAddressText } from '../../../features/custody/index.ts';
import type { CustodyFile } from '../../../infra/custody-file/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { OutboxPosition } from '../../../platform/outbox/index.ts';
import type { DepositFacts } from './read-facts.ts';

/** Why a credit is not sent. All but `address_not_derived` go to an operator's review. */
export type CreditRefusal =
  | 'custody_off'
  | 'coin_not_listed'
  | 'large'
  | 'hour_exceeded'
  | 'address_not_derived';

/**
 * Returns undefined if the credit can be sent, and records it. The caller's transaction is the only
 * one that sends. A credit that was recorded before is sent again.
 */
export async function limitCredit(
  statements: Statements,
  { channel, sequence }: OutboxPosition,
  deposit: DepositFacts,
  file: CustodyFile | undefined,
): Promise<CreditRefusal | undefined> {
  if (file === undefined) return 'custody_off';
  const network = file.networks.get(deposit.network ?? '');
  const coin = file.coins.find(
    (one) => one.network === network?.name && `${one.asset}` === deposit.asset,
  );
  if (network === undefined || coin === undefined) return 'coin_not_listed';
  const derived = evmAddressText(network.name, network.xpub.evmAddress(idOf<UserId>(deposit.user)));
  if (derived !== deposit.address) return 'address_not_derived';
  const atoms = BigInt(deposit.atoms);
  if (atoms >= coin.credit.reviewAtoms) return 'large';
  const position = [channel, sequence];
  const sums = await statements.query(
    `select coalesce(sum(atoms), 0) as atoms from custody_credits
     where network = $3 and asset_id = $4 and at > now() - interval '1 hour'
       and (channel, sequence) <> ($1, $2)`,
    [...position, network.name, coin.asset],
  );
  if (BigInt(sums.rows[0].atoms) + atoms > coin.credit.hourAtoms) return 'hour_exceeded';
  await statements.query(`delete from custody_credits where at < now() - interval '1 day'`);
  await statements.query(
    `insert into custody_credits (channel, sequence, network, asset_id, atoms)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [...position, network.name, coin.asset, deposit.atoms],
  );
  return undefined;
}
