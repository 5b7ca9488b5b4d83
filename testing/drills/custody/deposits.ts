// Deposits of twelve kinds, sent to users' addresses: those that must be credited, those that only
// look like a deposit, and what the chain says about each of them in the end.

import { callData, type SentTransaction } from '../../../tools/services/test-chain.ts';
import type { Random } from '../../flows/index.ts';
import type { DrillStage, Owner } from './stage.ts';

export const KINDS = [
  'native',
  'inner',
  'token',
  'two logs',
  'no return',
  'reverted',
  'fake',
  'false',
  'fee',
  'zero',
  'spam',
  'small',
] as const;
export type Kind = (typeof KINDS)[number];

/** A payment that must be credited if its transaction is final and succeeded. */
export interface ExpectedPayment {
  readonly coin: 'native' | 'token' | 'noReturn';
  readonly units: bigint;
}

export interface SentDeposit {
  readonly kind: Kind;
  readonly owner: Owner;
  readonly hash: string;
  readonly payments: readonly ExpectedPayment[];
}

type Planned = { readonly transaction: SentTransaction; readonly payments: ExpectedPayment[] };

const ETHER = 10n ** 18n;
const TRANSFER = 'transfer(address,uint256)';

/** Queues a deposit of the kind, which the next block contains. */
export async function sendDeposit(
  stage: DrillStage,
  kind: Kind,
  random: Random,
): Promise<SentDeposit> {
  const owner = random.pick(stage.owners);
  const { payments, transaction } = planned(stage, { kind, owner, random });
  return { kind, owner, payments, hash: await stage.chain.send(transaction) };
}

interface Wanted {
  readonly kind: Kind;
  readonly owner: Owner;
  readonly random: Random;
}

function planned({ contracts }: DrillStage, { kind, owner, random }: Wanted): Planned {
  const to = owner.address;
  // Never a round amount, so two deposits rarely have the same one.
  const ether = BigInt(random.between(1, 5)) * (ETHER / 50n) + BigInt(random.between(1, 1e9));
  const tokens = BigInt(random.between(1_000_000, 50_000_000));
  const wholes = BigInt(random.between(1, 50)) * ETHER + BigInt(random.between(1, 1e9));
  const transfer = (contract: string, units: bigint): SentTransaction => ({
    to: contract,
    data: callData(TRANSFER, [to, units]),
  });
  const pay = (method: string, value: bigint): SentTransaction => ({
    to: contracts.InnerPayer,
    value,
    data: callData(`${method}(address)`, [to]),
  });
  const native = (units: bigint): ExpectedPayment => ({ coin: 'native', units });
  switch (kind) {
    case 'native':
      return { transaction: { to, value: ether }, payments: [native(ether)] };
    case 'small':
      return { transaction: { to, value: ETHER / 400n }, payments: [native(ETHER / 400n)] };
    case 'inner': {
      const parts = [ether / 4n, ether - ether / 4n];
      if (random.chance(50)) return { transaction: pay('pay', ether), payments: [native(ether)] };
      return { transaction: pay('payTwice', ether), payments: parts.map(native) };
    }
    case 'token':
      return {
        transaction: transfer(contracts.StandardToken, tokens),
        payments: [{ coin: 'token', units: tokens }],
      };
    case 'two logs':
      return {
        transaction: {
          to: contracts.TokenPayer,
          data: callData('payTwice(address,address,uint256)', [
            contracts.StandardToken,
            to,
            tokens,
          ]),
        },
        payments: [tokens / 4n, tokens - tokens / 4n].map((units) => ({ coin: 'token', units })),
      };
    case 'no return':
      return {
        transaction: transfer(contracts.NoReturnToken, wholes),
        payments: [{ coin: 'noReturn', units: wholes }],
      };
    case 'reverted':
      return {
        transaction: pay(random.chance(50) ? 'payAndRevert' : 'payInVain', ether),
        payments: [],
      };
    case 'fake':
      return { transaction: transfer(contracts.LyingToken, tokens), payments: [] };
    case 'false':
      return { transaction: transfer(contracts.FalseToken, tokens), payments: [] };
    case 'fee':
      return { transaction: transfer(contracts.FeeToken, tokens), payments: [] };
    case 'zero':
      return { transaction: transfer(contracts.StandardToken, 0n), payments: [] };
    case 'spam':
      return { transaction: transfer(contracts.FeeToken, wholes), payments: [] };
  }
}
