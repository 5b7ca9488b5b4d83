// Answers requests. An entry is on the disk before an answer that depends on it leaves the process,
// so no restart forgets a signature. Signs intents only, never bytes from a caller.

import {
  type CustodyFile,
  isSignedBy,
  parseNextCustodyFile,
} from '../../infra/custody-file/index.ts';
import {
  type AdoptAnswer,
  type EvmFee,
  type Intent,
  type KnownRequest,
  type Payment,
  type PolicyRequest,
  type RenounceRequest,
  renounceText,
  type SignedAnswer,
  type SignerAnswer,
  type SignerRequest,
  type SignRequest,
  type StatusRequest,
  type StopRequest,
  stopText,
} from '../../infra/signer-link/index.ts';
import { type Approvable, checkApprovals, paymentText, renounceApprovalText } from './approvals.ts';
import { checkFee } from './check-fee.ts';
import { checkIntent, type Place, placeOf } from './check-intent.ts';
import type { Entry } from './entries.ts';
import { signTransaction } from './evm-transaction.ts';
import type { Journal } from './journal.ts';
import { readRequest } from './read-request.ts';
import { Refusal, refuseUnless } from './refusal.ts';
import type { SignerKeys, Wallet } from './signer-keys.ts';
import { DAY_MS, HOUR_MS, type KnownPayment, type SignerState } from './signer-state.ts';

/** Leaves room for the other fields of an answer of 256 kB. */
const ENTRIES_BYTES_MAX = 200_000;

export interface SignerOptions {
  readonly keys: SignerKeys;
  readonly journal: Journal;
  /** The fold of the journal. */
  readonly state: SignerState;
  nowMs(): number;
  /** Called after each answer. */
  onAnswer(request: SignerRequest, answer: SignerAnswer): void;
}

/** Throws a Refusal if the file is not for these keys. */
export function requireKeysOf(policy: CustodyFile, keys: SignerKeys): void {
  for (const { name, payments, xpub } of policy.networks.values()) {
    if (payments === undefined) continue;
    const isOwn = payments.hot === keys.hotAddress && xpub.text === keys.xpub;
    refuseUnless(isOwn, 'policy_must_match_seed', name);
  }
  const signer = policy.signer && `ed25519:${Buffer.from(policy.signer).toString('base64url')}`;
  refuseUnless(
    signer === undefined || signer === keys.publicKey,
    'policy_must_match_seed',
    'signer',
  );
}

/** A payer's connection. Nothing is signed before its copy of the journal was compared. */
interface Connection {
  isCopyChecked: boolean;
}

export class Signer {
  readonly #options: SignerOptions;

  constructor(options: SignerOptions) {
    this.#options = options;
  }

  /** Returns the function that answers the requests of one connection. */
  connect(): (request: unknown) => SignerAnswer {
    const connection = { isCopyChecked: false };
    return (given) => {
      const request = requestOf(given);
      if (typeof request === 'string') {
        return { kind: 'refused', refusal: 'request_must_be_valid', detail: request };
      }
      const answer = this.#answerOrRefuse(request, connection);
      this.#options.onAnswer(request, answer);
      return answer;
    };
  }

  /** Other exceptions are bugs or a failed disk: the process must end. */
  #answerOrRefuse(request: SignerRequest, connection: Connection): SignerAnswer {
    try {
      return this.#answer(request, connection);
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      const { detail, refusal } = fault;
      return { kind: 'refused', refusal, ...(detail === undefined ? {} : { detail }) };
    }
  }

  #answer(request: SignerRequest, connection: Connection): SignerAnswer {
    switch (request.kind) {
      case 'status':
        return this.#status(request, connection);
      case 'journal': {
        const { journal } = this.#options;
        const entries = journal.after(request.after, ENTRIES_BYTES_MAX);
        return { kind: 'journal', entries, head: journal.head };
      }
      case 'known':
        return this.#known(request);
      case 'policy':
        return this.#adoptPolicy(request);
      case 'stop':
        return this.#stop(request);
      case 'sign':
        this.#requireReady(connection);
        return request.intent.kind === 'void'
          ? this.#signVoid(request, request.intent)
          : this.#sign(request, request.intent);
      case 'renounce':
        this.#requireReady(connection);
        return this.#renounce(request);
    }
  }

  #status({ copy }: StatusRequest, connection: Connection): SignerAnswer {
    const { journal, keys, state } = this.#options;
    if (copy !== undefined) {
      connection.isCopyChecked = journal.hashAt(copy.entry) === copy.hash;
      refuseUnless(
        connection.isCopyChecked,
        'journal_must_not_be_behind_its_copy',
        `entry ${journal.head.entry}, and the copy has ${copy.entry}`,
      );
    }
    const { policy } = state;
    const since = this.#largestMs() - DAY_MS;
    const paying = [...policy.networks.values()].filter(({ payments }) => payments !== undefined);
    return {
      kind: 'status',
      head: journal.head,
      policy: { version: policy.version, hash: policy.hash, validUntil: policy.validUntil },
      isStopped: state.isStopped,
      publicKey: keys.publicKey,
      hot: Object.fromEntries(paying.map(({ name }) => [name, keys.hotAddress])),
      feesOfToday: Object.fromEntries(
        paying.map(({ name }) => [name, state.feesSince(name, since).toString()]),
      ),
    };
  }

  #known({ payments, withdrawals }: KnownRequest): SignerAnswer {
    const { state } = this.#options;
    const ids = new Set([
      ...payments.filter((id) => state.payments.has(id)),
      ...withdrawals.map((number) => state.paymentOf.get(number)).filter((id) => id !== undefined),
    ]);
    const found = [...ids].map((id) => this.#paymentAt(id).payment);
    const size = JSON.stringify(found).length;
    refuseUnless(size <= ENTRIES_BYTES_MAX, 'request_must_be_valid', 'ask for fewer payments');
    const renounced = withdrawals.filter((number) => state.renounced.has(number));
    return { kind: 'known', payments: found, renounced };
  }

  #requireReady(connection: Connection): void {
    const { state } = this.#options;
    refuseUnless(connection.isCopyChecked, 'journal_copy_must_be_checked');
    refuseUnless(!state.isStopped, 'signer_must_not_be_stopped');
    const { validUntil } = state.policy;
    const today = new Date(this.#largestMs()).toISOString().slice(0, 'yyyy-mm-dd'.length);
    refuseUnless(today <= validUntil, 'policy_must_be_valid', validUntil);
  }

  #sign(request: SignRequest, intent: Exclude<Intent, { kind: 'void' }>): SignerAnswer {
    const { keys, nowMs, state } = this.#options;
    const place = placeOf(state.policy, intent);
    const known = state.payments.get(request.payment);
    if (known !== undefined) return this.#signAgain(request, known, place);
    const facts = { state, nowMs: nowMs(), addressOf: (wallet: Wallet) => keys.addressOf(wallet) };
    const { atoms, call, frames, wallet } = checkIntent(
      { intent, statements: request.statements },
      place,
      facts,
    );
    const adopted = this.#adopted(request, intent);
    if (adopted !== undefined) return adopted;
    this.#checkFee(request.fee, place, undefined);
    const approvers = intent.kind === 'pay' ? this.#approve(request, place, atoms) : [];
    if ('kind' in approvers) return approvers;
    const from = keys.addressOf(wallet);
    const nonce = state.nextNonce(call.chainId, from);
    const isCounted = intent.kind === 'pay' && approvers.length === 0;
    this.#append({
      kind: 'slot',
      payment: request.payment,
      intent,
      slot: { family: 'evm', from, nonce },
      call,
      frames,
      approvers,
      ...(isCounted ? { windowAtoms: atoms.toString() } : {}),
      ...(request.instead === undefined ? {} : { instead: request.instead }),
    });
    return this.#signVersion(request);
  }

  /** A second payment of a withdrawal needs the quorum, after the first slot was spent. */
  #adopted({ instead }: SignRequest, intent: Intent): AdoptAnswer | undefined {
    const { state } = this.#options;
    const withdrawals = intent.kind === 'pay' ? intent.parts.map((part) => part.withdrawal) : [];
    const [earlier] = withdrawals
      .map((withdrawal) => state.paymentOf.get(withdrawal))
      .filter((id) => id !== undefined);
    if (instead === undefined) {
      if (earlier === undefined) return undefined;
      return { kind: 'adopt', payment: this.#paymentAt(earlier).payment };
    }
    refuseUnless(earlier === instead.payment, 'slot_must_be_spent', instead.payment);
    return undefined;
  }

  /** Spends the slot of a payment for nothing. */
  #signVoid(request: SignRequest, intent: Extract<Intent, { kind: 'void' }>): SignerAnswer {
    const { state } = this.#options;
    const place = placeOf(state.policy, intent);
    const known = state.payments.get(request.payment);
    if (known !== undefined) return this.#signAgain(request, known, place);
    const spent = state.payments.get(intent.of);
    const isSame =
      spent !== undefined &&
      spent.payment.intent.kind !== 'void' &&
      spent.payment.intent.network === intent.network &&
      spent.payment.intent.asset === intent.asset;
    refuseUnless(isSame, 'payment_must_be_known', intent.of);
    const earlier = this.#voidOf(spent);
    if (earlier !== undefined) return { kind: 'adopt', payment: earlier };
    this.#checkFee(request.fee, place, spent);
    const { slot } = spent.payment;
    const call = { ...spent.call, to: slot.from, value: '0', data: '0x' };
    this.#append({ kind: 'slot', payment: request.payment, intent, slot, call });
    return this.#signVersion(request);
  }

  /** A later version of a payment differs in its fee only, so it needs no statement or approval. */
  #signAgain(request: SignRequest, known: KnownPayment, place: Place): SignerAnswer {
    const isSame = JSON.stringify(known.payment.intent) === JSON.stringify(request.intent);
    refuseUnless(isSame, 'payment_must_not_change', request.payment);
    const version = known.payment.versions.find(({ fee }) => isSameFee(fee, request.fee));
    if (version !== undefined) return { kind: 'signed', payment: known.payment, version };
    const isVoided = this.#voidOf(known) !== undefined && request.intent.kind !== 'void';
    refuseUnless(!isVoided, 'payment_must_not_change', 'its slot is void');
    this.#checkFee(request.fee, place, known);
    return this.#signVersion(request);
  }

  #voidOf({ spent }: KnownPayment): Payment | undefined {
    return spent.payments
      .map((id) => this.#paymentAt(id).payment)
      .find(({ intent }) => intent.kind === 'void');
  }

  #checkFee(fee: EvmFee, { network, payments }: Place, known: KnownPayment | undefined): void {
    const { nowMs, state } = this.#options;
    const facts = { state, nowMs: nowMs(), network: network.name, payments, spent: known?.spent };
    checkFee(fee, facts);
  }

  #approve(request: SignRequest, place: Place, atoms: bigint) {
    const { policy } = this.#options.state;
    const [part] = request.intent.kind === 'pay' ? request.intent.parts : [];
    const { approvals, instead, notAfterMs } = request;
    const needed = instead === undefined ? this.#approversFor(place, atoms) : policy.quorum;
    return this.#checkApprovals({
      needed,
      approvals,
      notAfterMs,
      textOf: (validMs) =>
        paymentText({ policy, coin: place.coin, part, atoms, instead, notAfterMs: validMs }),
    });
  }

  #approversFor({ coin }: Place, atoms: bigint): number {
    const { state } = this.#options;
    if (coin.pay === undefined) return state.policy.quorum;
    const { dayAtoms, hourAtoms, people } = coin.pay;
    const left = (sinceMs: number) =>
      state.leftSince(coin.network, coin.asset, this.#largestMs() - sinceMs) + atoms;
    const isBeyond = left(HOUR_MS) > hourAtoms || left(DAY_MS) > dayAtoms;
    const byAmount = people.findLast(({ fromAtoms }) => atoms >= fromAtoms)?.approvers ?? 0;
    return Math.max(byAmount, isBeyond ? 1 : 0);
  }

  /** Signs and stores the next version of a payment whose slot is in the journal. */
  #signVersion({ fee, payment: id }: SignRequest): SignedAnswer {
    const { keys } = this.#options;
    const { call, payment } = this.#paymentAt(id);
    const wallet = this.#walletOf(payment.intent);
    const signed = signTransaction({ call, slot: payment.slot, fee }, (digest) =>
      keys.signDigest(wallet, digest),
    );
    this.#append({ kind: 'version', payment: id, ...signed, fee });
    const version = payment.versions[payment.versions.length - 1];
    return { kind: 'signed', payment, version };
  }

  #walletOf(intent: Intent): Wallet {
    if (intent.kind === 'void') return this.#walletOf(this.#paymentAt(intent.of).payment.intent);
    return intent.kind === 'sweep' ? { user: intent.user } : 'hot';
  }

  #renounce({ approvals, notAfterMs, spent, withdrawal }: RenounceRequest): SignerAnswer {
    const { keys, state } = this.#options;
    const { policy } = state;
    if (!state.renounced.has(withdrawal)) {
      const earlier = state.paymentOf.get(withdrawal);
      let approvers: readonly string[] = [];
      if (earlier !== undefined) {
        refuseUnless(spent !== undefined, 'withdrawal_must_not_be_signed', earlier);
        refuseUnless(spent.payment === earlier, 'slot_must_be_spent', earlier);
        const answer = this.#checkApprovals({
          needed: policy.quorum,
          approvals,
          notAfterMs,
          textOf: (validMs) =>
            renounceApprovalText({ policy, withdrawal, spent, notAfterMs: validMs }),
        });
        if ('kind' in answer) return answer;
        approvers = answer;
      }
      const proof = spent === undefined ? {} : { spent };
      this.#append({ kind: 'renounced', withdrawal, approvers, ...proof });
    }
    const text = renounceText(policy.exchange, withdrawal);
    return { kind: 'renounced', withdrawal, text, signature: keys.signText(text) };
  }

  #adoptPolicy({ file }: PolicyRequest): SignerAnswer {
    const { keys, state } = this.#options;
    const { policy } = state;
    const next = parsedNext(file, policy);
    const isNext = next.version === policy.version + 1 && next.exchange === policy.exchange;
    refuseUnless(isNext, 'policy_must_be_next_version', `${next.exchange} ${next.version}`);
    requireKeysOf(next, keys);
    this.#append({ kind: 'policy', file });
    return { kind: 'policy', version: next.version };
  }

  #stop({ approver, signature }: StopRequest): SignerAnswer {
    const { state } = this.#options;
    const { approvers, exchange, version } = state.policy;
    const key = approvers.get(approver);
    const isValid = key !== undefined && isSignedBy(key, stopText(exchange, version), signature);
    refuseUnless(isValid, 'approval_must_be_valid', approver);
    if (!state.isStopped) this.#append({ kind: 'stopped', approver });
    return { kind: 'stopped' };
  }

  #checkApprovals(given: Approvable) {
    const { nowMs, state } = this.#options;
    return checkApprovals(state.policy, nowMs(), given);
  }

  #append(entry: Entry): void {
    const { journal, nowMs, state } = this.#options;
    const timeMs = entry.kind === 'policy' ? nowMs() : this.#largestMs();
    state.apply(journal.append(entry, timeMs));
  }

  #largestMs(): number {
    return Math.max(this.#options.nowMs(), this.#options.state.timeMs);
  }

  #paymentAt(id: string): KnownPayment {
    const known = this.#options.state.payments.get(id);
    if (known === undefined) throw new Error(`the journal has no payment ${id}`);
    return known;
  }
}

/** Returns the reason if the request is malformed. */
function requestOf(given: unknown): SignerRequest | string {
  try {
    return readRequest(given);
  } catch (fault) {
    return (fault as Error).message.slice(0, 300);
  }
}

function parsedNext(file: string, policy: CustodyFile): CustodyFile {
  try {
    return parseNextCustodyFile(file, policy);
  } catch (fault) {
    throw new Refusal('policy_must_be_signed_by_quorum', (fault as Error).message.slice(0, 300));
  }
}

function isSameFee(one: EvmFee, other: EvmFee): boolean {
  return (
    one.gas === other.gas &&
    one.maxFeePerGas === other.maxFeePerGas &&
    one.maxPriorityFeePerGas === other.maxPriorityFeePerGas
  );
}
