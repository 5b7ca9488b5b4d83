// Custody file: networks, coins, limits and approvers, signed by a quorum of the approvers. One
// JSON document, the same on every machine. Contains public keys only; never a private key.

import { createHash } from 'node:crypto';
import type { AssetId } from '../../core/money/index.ts';
import { AccountXpub } from './account-xpub.ts';
import { countApprovals, isSignedBy, parsePublicKey } from './approver-keys.ts';
import { Fields, parseJson } from './json-fields.ts';
import {
  amountOf,
  type NetworkPayments,
  networkPaymentsOf,
  type PayLimits,
  payLimitsOf,
  refuseIncomplete,
} from './payment-policy.ts';

export interface CustodyNetwork {
  readonly name: string;
  readonly family: 'evm';
  readonly chainId: number;
  /** How the chain finalizes: its own `finalized` tag, or a number of blocks. */
  readonly final: 'finalized' | number;
  /** First block that counts. */
  readonly fromHeight: number;
  readonly xpub: AccountXpub;
  /** Explorer page of a transaction, with `{txid}`. */
  readonly txidUrl: string | undefined;
  /** Undefined if operators pay withdrawals manually. */
  readonly payments: NetworkPayments | undefined;
}

export interface CreditLimits {
  /** Smaller deposits are added up. */
  readonly minAtoms: bigint;
  /** An operator reviews a deposit of this amount or more. */
  readonly reviewAtoms: bigint;
  /** Credited per hour without review. */
  readonly hourAtoms: bigint;
}

export interface CustodyCoin {
  readonly asset: AssetId;
  readonly symbol: string;
  /** Decimals in the ledger. */
  readonly scale: number;
  readonly network: string;
  /** Address of the token's contract, in lowercase; undefined for the native coin. */
  readonly contract: string | undefined;
  /** Decimals on the chain. */
  readonly digits: number;
  readonly credit: CreditLimits;
  /** Undefined if the signer must not pay this coin. */
  readonly pay: PayLimits | undefined;
}

export interface CustodyFile {
  readonly exchange: string;
  readonly version: number;
  readonly validUntil: string;
  readonly networks: ReadonlyMap<string, CustodyNetwork>;
  readonly coins: readonly CustodyCoin[];
  /** Ed25519 public keys by name. */
  readonly approvers: ReadonlyMap<string, Uint8Array>;
  readonly quorum: number;
  /** Ed25519 public keys of processes that confirm open withdrawals to the signer. */
  readonly witnesses: readonly Uint8Array[];
  /** Signs that a withdrawal will never be paid. Undefined without payments. */
  readonly signer: Uint8Array | undefined;
  /** SHA-256 of the canonical document, in hexadecimal. */
  readonly hash: string;
}

const NAME = /^[a-z0-9-]{1,40}$/;
const CONTRACT = /^0x[0-9a-f]{40}$/;
const DIGITS_MAX = 36;

/** Throws if the form is wrong, or if fewer approvers than the quorum signed it. */
export function parseCustodyFile(text: string): CustodyFile {
  const { document, file, signatures } = partsOf(text);
  const signed = countApprovals({ text: signedText(document), keys: file.approvers, signatures });
  requireQuorum(signed, file.quorum);
  return file;
}

/** Also throws if too few approvers of the version before signed the new version. */
export function parseNextCustodyFile(text: string, before: CustodyFile): CustodyFile {
  const { document, signatures } = partsOf(text);
  const signed = [...before.approvers].filter(([name, key]) => {
    const signature = signatures.get(name);
    return signature !== undefined && isSignedBy(key, signedText(document), signature);
  });
  requireQuorum(signed.length, before.quorum);
  return parseCustodyFile(text);
}

function partsOf(text: string) {
  const outer = new Fields(parseJson(text), '');
  const document = outer.take('document');
  const signatures = new Fields(outer.take('signatures'), 'signatures').strings();
  outer.end();
  return { document, file: parseDocument(document), signatures };
}

function requireQuorum(signed: number, quorum: number): void {
  if (signed < quorum) {
    throw new Error(`expected signatures of ${quorum} approvers, received ${signed}`);
  }
}

/** Returns the text that approvers sign: the same for any spaces and any order of fields. */
export function signedText(document: unknown): string {
  return `rialto custody file\n${canonical(document)}`;
}

export function coinsOf(file: CustodyFile, network: string): CustodyCoin[] {
  return file.coins.filter((coin) => coin.network === network);
}

/** Checks a document without its signatures. */
export function parseDocument(document: unknown): CustodyFile {
  const fields = new Fields(document, '');
  const networks = new Map(
    fields.entries('networks').map(([name, given]) => [name, networkOf(name, given)]),
  );
  const coins = fields.list('coins').map((given) => coinOf(given, networks));
  const witnesses = fields.optionalTexts('witnesses', /^\S+$/);
  const signer = fields.optionalText('signer', /^\S+$/);
  refuseRepeated(coins);
  const approvers = new Map(
    fields
      .entries('approvers')
      .map(([name, given]) => [name, parsePublicKey(given.path, given.value)]),
  );
  const file = {
    exchange: fields.text('exchange', NAME),
    version: fields.integer('version', 1, Number.MAX_SAFE_INTEGER),
    validUntil: fields.text('validUntil', /^\d{4}-\d{2}-\d{2}$/),
    networks,
    coins,
    approvers,
    quorum: fields.integer('quorum', 1, Math.max(1, approvers.size)),
    witnesses: witnesses.map((key) => parsePublicKey('witnesses', key)),
    signer: signer === undefined ? undefined : parsePublicKey('signer', signer),
    hash: createHash('sha256').update(signedText(document)).digest('hex'),
  };
  fields.end();
  refuseIncomplete(file);
  if (
    new Set([...approvers.values()].map((key) => Buffer.from(key).toString('hex'))).size <
    approvers.size
  ) {
    throw new Error('expected a different key for each approver');
  }
  return file;
}

function networkOf(name: string, given: Fields): CustodyNetwork {
  if (!NAME.test(name)) throw new Error(`expected a network name in lowercase, received ${name}`);
  const family = given.text('family', /^evm$/) as 'evm';
  const network = {
    name,
    family,
    chainId: given.integer('chainId', 1, Number.MAX_SAFE_INTEGER),
    final: finalityOf(given),
    fromHeight: given.integer('from', 1, Number.MAX_SAFE_INTEGER),
    xpub: xpubOf(given),
    txidUrl: given.optionalText('txidUrl', /^https?:\/\/\S*\{txid\}\S*$/),
    payments: networkPaymentsOf(given.optionalFields('payments')),
  };
  given.end();
  return network;
}

function finalityOf(given: Fields): CustodyNetwork['final'] {
  return given.has('final', 'finalized')
    ? (given.text('final', /^finalized$/) as 'finalized')
    : given.integer('final', 1, 100_000);
}

function xpubOf(given: Fields): AccountXpub {
  const text = given.text('xpub', /^\S+$/);
  try {
    return new AccountXpub(text);
  } catch (cause) {
    throw new Error(`${given.path}.xpub: ${(cause as Error).message}`, { cause });
  }
}

function coinOf(given: Fields, networks: ReadonlyMap<string, CustodyNetwork>): CustodyCoin {
  const scale = given.integer('scale', 0, DIGITS_MAX);
  const credit = given.fields('credit');
  const limits = {
    minAtoms: amountOf(credit, 'min', scale),
    reviewAtoms: amountOf(credit, 'people', scale),
    hourAtoms: amountOf(credit, 'hour', scale),
  };
  credit.end();
  const coin = {
    asset: given.integer('asset', 1, Number.MAX_SAFE_INTEGER) as AssetId,
    symbol: given.text('symbol', /^[a-z0-9_-]{1,20}$/),
    scale,
    network: given.text('network', NAME),
    contract: given.optionalText('contract', CONTRACT),
    digits: given.integer('digits', 0, DIGITS_MAX),
    credit: limits,
    pay: payLimitsOf(given.optionalFields('pay'), scale),
  };
  given.end();
  if (!networks.has(coin.network)) {
    throw new Error(
      `${given.path}.network: expected a network of this file, received ${coin.network}`,
    );
  }
  return coin;
}

function refuseRepeated(coins: readonly CustodyCoin[]): void {
  for (const keyOf of [
    ({ asset, network }: CustodyCoin) => `${network} asset ${asset}`,
    ({ contract, network }: CustodyCoin) => `${network} ${contract ?? 'native coin'}`,
  ]) {
    const keys = coins.map(keyOf);
    const repeated = keys.find((key, at) => keys.indexOf(key) !== at);
    if (repeated !== undefined) throw new Error(`coins: ${repeated} is listed twice`);
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}
