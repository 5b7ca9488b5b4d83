// Payments in the custody file: the hot wallet and fees of a network, and what leaves without
// approvers. Networks and coins without these fields are paid manually.

import { atomsFromDecimal } from '../../core/money/index.ts';
import { parseEvmAddress } from './evm-address.ts';
import type { Fields } from './json-fields.ts';

export interface NetworkPayments {
  /** Address of the hot wallet, in lowercase. */
  readonly hot: string;
  /** Addresses of cold wallets, in lowercase. */
  readonly cold: readonly string[];
  /** In the smallest unit of the native coin. */
  readonly maxFeePerGas: bigint;
  /** Most fees in 24 hours, in the smallest unit of the native coin. */
  readonly feesOfDayUnits: bigint;
}

export interface PayLimits {
  /** Approvers needed from an amount on, in ascending order. */
  readonly people: readonly ApproversFrom[];
  /** Total per hour without approvers. */
  readonly hourAtoms: bigint;
  /** Total in 24 hours without approvers. */
  readonly dayAtoms: bigint;
}

export interface ApproversFrom {
  readonly fromAtoms: bigint;
  readonly approvers: number;
}

interface PaymentParts {
  readonly networks: ReadonlyMap<string, { readonly payments: NetworkPayments | undefined }>;
  readonly coins: readonly {
    readonly symbol: string;
    readonly network: string;
    readonly pay: PayLimits | undefined;
  }[];
  readonly approvers: ReadonlyMap<string, unknown>;
  readonly witnesses: readonly unknown[];
  readonly signer: unknown;
}

const ADDRESS = /^0x[0-9a-f]{40}$/;
const WEI_PER_GWEI = 1_000_000_000n;
const WEI_DIGITS = 18;
const GWEI_MAX = 1_000_000;

export function networkPaymentsOf(given: Fields | undefined): NetworkPayments | undefined {
  if (given === undefined) return undefined;
  const payments = {
    hot: given.text('hot', ADDRESS),
    cold: given.texts('cold', ADDRESS),
    maxFeePerGas: BigInt(given.integer('maxFeeGwei', 1, GWEI_MAX)) * WEI_PER_GWEI,
    feesOfDayUnits: unitsOf(given.text('feesOfADay', /^\d{1,12}(\.\d{1,18})?$/)),
  };
  given.end();
  const own = [payments.hot, ...payments.cold];
  if (own.some((address) => parseEvmAddress(address) === undefined)) {
    throw new Error(`${given.path}: the zero address is not a wallet`);
  }
  if (new Set(own).size < own.length) {
    throw new Error(`${given.path}: expected a different address for each wallet`);
  }
  return payments;
}

export function payLimitsOf(given: Fields | undefined, scale: number): PayLimits | undefined {
  if (given === undefined) return undefined;
  const limits = {
    people: given.list('people').map((one) => {
      const from = {
        fromAtoms: amountOf(one, 'from', scale),
        approvers: one.integer('approvers', 1, 100),
      };
      one.end();
      return from;
    }),
    hourAtoms: amountOf(given, 'hour', scale),
    dayAtoms: amountOf(given, 'day', scale),
  };
  given.end();
  const rises = limits.people.every((one, at) => {
    const before = limits.people[at - 1];
    return (
      before === undefined || (one.fromAtoms > before.fromAtoms && one.approvers > before.approvers)
    );
  });
  if (!rises) throw new Error(`${given.path}.people: expected rising amounts and approvers`);
  return limits;
}

/** Throws if a part is missing without which no payment could be checked. */
export function refuseIncomplete(file: PaymentParts): void {
  const pays = [...file.networks.values()].some(({ payments }) => payments !== undefined);
  if (pays && file.signer === undefined) {
    throw new Error('expected the field signer: a network has payments');
  }
  if (pays && file.witnesses.length === 0) {
    throw new Error('expected a key in witnesses: a network has payments');
  }
  for (const { network, pay, symbol } of file.coins) {
    if (pay === undefined) continue;
    if (file.networks.get(network)?.payments === undefined) {
      throw new Error(`coins: ${symbol} has pay, but the network ${network} has no payments`);
    }
    if (pay.people.some(({ approvers }) => approvers > file.approvers.size)) {
      throw new Error(`coins: ${symbol} needs more approvers than the file has`);
    }
  }
}

export function amountOf(given: Fields, name: string, scale: number): bigint {
  const text = given.text(name, /^[0-9.]+$/);
  const atoms = atomsFromDecimal(text, scale);
  if (atoms.ok && atoms.value > 0n) return atoms.value;
  const expected = `an amount above 0 with ${scale} decimals at most`;
  throw new Error(`${given.path}.${name}: expected ${expected}, received ${text}`);
}

function unitsOf(decimal: string): bigint {
  const [whole, part = ''] = decimal.split('.');
  return BigInt(whole + part.padEnd(WEI_DIGITS, '0'));
}
