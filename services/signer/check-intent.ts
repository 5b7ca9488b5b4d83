// Checks what a payment does: network, coin, amount, the witness's statements and destinations.
// Returns the call that every version will repeat. Pure; the order is that of the refusals.

import {
  type CustodyCoin,
  type CustodyFile,
  type CustodyNetwork,
  isSignedBy,
  type NetworkPayments,
  parseEvmAddress,
} from '../../infra/custody-file/index.ts';
import {
  destinationHash,
  type Intent,
  type Part,
  type Pay,
  type SignedStatement,
  type SignRequest,
  statementText,
} from '../../infra/signer-link/index.ts';
import type { EvmCall } from './entries.ts';
import { transferCall } from './evm-transaction.ts';
import { Refusal, refuseUnless } from './refusal.ts';
import type { Wallet } from './signer-keys.ts';
import type { SignerState } from './signer-state.ts';

const STATEMENT_AGE_MS_MAX = 10 * 60_000;
/** How far a witness's clock can be ahead. */
const CLOCK_SKEW_MS = 60_000;
const UNITS_END = 2n ** 256n;

export interface Place {
  readonly network: CustodyNetwork;
  readonly payments: NetworkPayments;
  readonly coin: CustodyCoin;
}

/** Returns the network and coin of an intent, which the current policy must allow. */
export function placeOf(policy: CustodyFile, intent: Intent): Place {
  const network = policy.networks.get(intent.network);
  const payments = network?.payments;
  refuseUnless(
    network !== undefined && payments !== undefined,
    'network_must_be_in_policy',
    intent.network,
  );
  const coin = policy.coins.find(
    (one) => one.network === intent.network && Number(one.asset) === intent.asset,
  );
  refuseUnless(coin !== undefined, 'coin_must_be_in_policy', `${intent.asset}`);
  refuseUnless(
    intent.kind !== 'pay' || coin.pay !== undefined,
    'coin_must_be_in_policy',
    coin.symbol,
  );
  return { network, payments, coin };
}

export interface CheckedIntent {
  readonly call: EvmCall;
  readonly wallet: Wallet;
  /** Total of the withdrawals; 0 for other intents. */
  readonly atoms: bigint;
  readonly frames: Readonly<Record<string, number>>;
}

export interface IntentFacts {
  readonly state: SignerState;
  readonly nowMs: number;
  /** Returns an address in lowercase. */
  addressOf(wallet: Wallet): string;
}

/** Throws a Refusal. Intents of kind `void` have another check, because they repeat a slot. */
export function checkIntent(
  {
    intent,
    statements,
  }: Pick<SignRequest, 'statements'> & { intent: Exclude<Intent, { kind: 'void' }> },
  place: Place,
  facts: IntentFacts,
): CheckedIntent {
  const { coin, network, payments } = place;
  refuseUnless(intent.kind === 'pay' || statements.length === 0, 'intent_must_be_supported');
  const call = (to: string, units: string) => {
    refuseUnless(BigInt(units) > 0n && BigInt(units) < UNITS_END, 'amount_must_be_positive', units);
    return transferCall(network.chainId, coin.contract, { to, units: BigInt(units) });
  };
  const other = { atoms: 0n, frames: {} };
  switch (intent.kind) {
    case 'pay': {
      refuseUnless(
        intent.parts.length === 1,
        'intent_must_be_supported',
        'one withdrawal per payment',
      );
      const [part] = intent.parts;
      const paid = call(part.destination.toLowerCase(), part.units);
      return {
        call: paid,
        wallet: 'hot',
        ...checkPart(intent, { part, statements }, place, facts),
      };
    }
    case 'sweep': {
      const to = intent.to === 'hot' ? payments.hot : coldAddress(payments, intent.to);
      return { call: call(to, intent.units), wallet: { user: intent.user }, ...other };
    }
    case 'top_up': {
      refuseUnless(
        coin.contract === undefined,
        'intent_must_be_supported',
        'fees are in the native coin',
      );
      const to = facts.addressOf({ user: intent.user });
      return { call: call(to, intent.units), wallet: 'hot', ...other };
    }
    case 'surplus':
      return {
        call: call(coldAddress(payments, intent.cold), intent.units),
        wallet: 'hot',
        ...other,
      };
  }
}

function coldAddress({ cold }: NetworkPayments, index: number): string {
  const address = cold[index];
  refuseUnless(address !== undefined, 'cold_address_must_be_in_policy', `${index}`);
  return address;
}

interface GivenPart {
  readonly part: Part;
  readonly statements: readonly SignedStatement[];
}

function checkPart(intent: Pay, { part, statements }: GivenPart, place: Place, facts: IntentFacts) {
  const { nowMs, state } = facts;
  const [statement] = statements;
  refuseUnless(statements.length === 1, 'statement_must_be_given');
  const witness = witnessOf(state.policy, statement);
  const atoms = atomsOf(part, place.coin);
  const isSame =
    statement.withdrawal === part.withdrawal &&
    statement.asset === intent.asset &&
    BigInt(statement.atoms) === atoms;
  refuseUnless(isSame, 'statement_must_match_withdrawal');
  const ageMs = nowMs - statement.timeMs;
  refuseUnless(
    ageMs <= STATEMENT_AGE_MS_MAX && ageMs >= -CLOCK_SKEW_MS,
    'statement_must_be_recent',
    `${ageMs} ms`,
  );
  const lastFrame = state.frames.get(witness) ?? 0;
  refuseUnless(
    statement.frame >= lastFrame,
    'statement_frame_must_not_go_back',
    `${statement.frame}`,
  );
  const { destination, withdrawal } = part;
  refuseUnless(
    destinationHash(withdrawal, intent.network, destination) === statement.destination,
    'destination_must_match_statement',
  );
  refuseUnless(
    parseEvmAddress(destination) !== undefined,
    'destination_must_be_valid',
    destination,
  );
  refuseUnless(
    !isOwnAddress(state.policy, destination.toLowerCase()),
    'destination_must_not_be_own_address',
    destination,
  );
  refuseUnless(
    !state.renounced.has(withdrawal),
    'withdrawal_must_not_be_renounced',
    `${withdrawal}`,
  );
  return { atoms, frames: { [witness]: statement.frame } };
}

/** Returns the witness's key in hexadecimal. */
function witnessOf(policy: CustodyFile, statement: SignedStatement): string {
  const text = statementText(policy.exchange, statement);
  const key = policy.witnesses.find((one) => isSignedBy(one, text, statement.signature));
  refuseUnless(key !== undefined, 'statement_must_be_signed_by_witness');
  return Buffer.from(key).toString('hex');
}

/** A remainder below one atom is never paid. */
function atomsOf({ units }: Part, { digits, scale }: CustodyCoin): bigint {
  if (digits <= scale) return BigInt(units) * 10n ** BigInt(scale - digits);
  const perAtom = 10n ** BigInt(digits - scale);
  if (BigInt(units) % perAtom !== 0n) throw new Refusal('statement_must_match_withdrawal', units);
  return BigInt(units) / perAtom;
}

/** Wallets of the exchange and contracts of its coins. Deposit addresses of users are allowed. */
function isOwnAddress({ coins, networks }: CustodyFile, address: string): boolean {
  const wallets = [...networks.values()].flatMap(({ payments }) =>
    payments === undefined ? [] : [payments.hot, ...payments.cold],
  );
  return wallets.includes(address) || coins.some(({ contract }) => contract === address);
}
