// Finds what a block means for the exchange's own addresses: payments that came in, and units that
// left. Pure; the owners of addresses and the proven balances come from elsewhere.

import type { AddressOwner, ChangedCoin, IncomingTransfer } from '../../features/custody/index.ts';
import type { FinalBlock, Transfer } from '../../infra/chain-evm/index.ts';
import type { CustodyCoin } from '../../infra/custody-file/index.ts';

/** A coin on an own address, without its balance after the block. */
export type TouchedCoin = Omit<ChangedCoin, 'provenUnits'>;

export interface OwnTransfers {
  readonly incoming: readonly IncomingTransfer[];
  readonly touched: readonly TouchedCoin[];
}

/** All addresses in a block that could be own ones, each once. */
export function addressesIn({ fees, transfers }: FinalBlock): Uint8Array[] {
  const texts = [
    ...transfers.flatMap(({ from, to }) => [from, to]),
    ...fees.map(({ from }) => from),
  ];
  return [...new Set(texts)].map(bytesOf);
}

/** Transfers of contracts that the custody file does not list are ignored. */
export function ownTransfers(
  { fees, transfers }: FinalBlock,
  coins: readonly CustodyCoin[],
  owners: ReadonlyMap<string, AddressOwner>,
): OwnTransfers {
  const coinOf = new Map(coins.map((coin) => [coin.contract, coin]));
  const touched = new Map<string, TouchedCoin>();
  const touch = (coin: CustodyCoin, address: string, outUnits: bigint) => {
    const key = `${coin.asset} ${address}`;
    const before = touched.get(key)?.outUnits ?? 0n;
    touched.set(key, { coin, address: bytesOf(address), outUnits: before + outUnits });
  };
  const incoming: IncomingTransfer[] = [];
  for (const transfer of transfers) {
    const coin = coinOf.get(transfer.contract);
    if (coin === undefined) continue;
    if (owners.has(plain(transfer.from))) touch(coin, transfer.from, transfer.units);
    const owner = owners.get(plain(transfer.to));
    if (owner === undefined) continue;
    touch(coin, transfer.to, 0n);
    incoming.push(incomingOf(transfer, coin, owner));
  }
  const native = coinOf.get(undefined);
  for (const { from, units } of native === undefined ? [] : fees) {
    if (owners.has(plain(from))) touch(native!, from, units);
  }
  return { incoming, touched: [...touched.values()] };
}

function incomingOf(
  { output, to, transaction, units }: Transfer,
  coin: CustodyCoin,
  { user }: AddressOwner,
): IncomingTransfer {
  const txid = plain(transaction);
  return { coin, txid, output: String(output), address: bytesOf(to), user, units };
}

function plain(hex: string): string {
  return hex.slice(2);
}

export function bytesOf(hex: string): Uint8Array {
  return Buffer.from(plain(hex), 'hex');
}
