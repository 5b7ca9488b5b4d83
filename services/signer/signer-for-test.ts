// A signer on a temporary folder with a clock that tests set, a witness and two approvers. Only
// tests import it.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mnemonicToSeedSync } from '@scure/bip39';
import {
  type Document,
  KEYS_FOR_TEST,
  payingDocumentForTest,
  signedForTest,
  WORDS_FOR_TEST,
} from '../../infra/custody-file/custody-file-for-test.ts';
import { createApproverKey, signText } from '../../infra/custody-file/index.ts';
import {
  type ApprovalsNeededAnswer,
  destinationHash,
  type EvmFee,
  type SignedStatement,
  type SignerAnswer,
  type SignerRequest,
  type SignRequest,
  statementText,
} from '../../infra/signer-link/index.ts';
import { createJournal, EMPTY_HEAD, Journal, sealLine } from './journal.ts';
import { Signer } from './signer.ts';
import { SignerKeys } from './signer-keys.ts';
import { SignerState } from './signer-state.ts';

export const SEED_FOR_TEST = new Uint8Array(mnemonicToSeedSync(WORDS_FOR_TEST));
/** Not a wallet of the test seed. */
export const ALICE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const ETH = 3;
export const USDT = 4;
export const START_MS = Date.UTC(2026, 11, 1, 12);
const GWEI = 1_000_000_000n;

const WITNESS = createApproverKey();

export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function feeOf(gwei: number, gas = 21_000): EvmFee {
  const maxFeePerGas = (BigInt(gwei) * GWEI).toString();
  return { family: 'evm', gas, maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas };
}

export interface Wanted {
  readonly withdrawal: number;
  readonly payment?: string;
  readonly asset?: number;
  /** With at most 8 decimals for ETH, and 6 for USDT. */
  readonly atoms?: bigint;
  readonly destination?: string;
  readonly fee?: EvmFee;
  readonly frame?: number;
}

export class SignerStage {
  readonly keys = new SignerKeys(SEED_FOR_TEST);
  readonly path: string;
  readonly document: Document;
  nowMs = START_MS;
  /** The state after the last start. */
  state = new SignerState();
  journal: Journal;
  #ask: (request: unknown) => SignerAnswer;

  constructor(change: (document: Document) => void = () => {}) {
    this.path = join(mkdtempSync(join(tmpdir(), 'signer-')), 'journal');
    this.document = payingDocumentForTest({
      hot: this.keys.addressOf('hot'),
      signer: this.keys.publicKey,
      witnesses: [WITNESS.publicKey],
    });
    change(this.document);
    const file = signedForTest(this.document);
    const entry = { entry: 1, previous: EMPTY_HEAD.hash, timeMs: START_MS, kind: 'policy', file };
    createJournal(this.path, [sealLine({ ...entry, kind: 'policy' }, this.keys.macKey)]);
    [this.journal, this.#ask] = this.#start();
    this.checkCopy();
  }

  /** Reads the journal again, as after a kill. */
  restart(): void {
    this.journal.close();
    [this.journal, this.#ask] = this.#start();
    this.checkCopy();
  }

  ask(request: unknown): SignerAnswer {
    return this.#ask(request);
  }

  /** Answers of an unchecked connection. */
  connectAgain(): void {
    this.#ask = this.#signer(this.journal).connect();
  }

  checkCopy(): void {
    this.ask({ kind: 'status', copy: this.journal.head });
  }

  /** Returns the answer's refusal, or its kind. */
  outcome(request: SignerRequest | unknown): string {
    const answer = this.ask(request);
    return answer.kind === 'refused' ? answer.refusal : answer.kind;
  }

  pay(wanted: Wanted): SignRequest {
    const { asset = ETH, atoms = 100_000_000n, destination = ALICE, withdrawal } = wanted;
    const { fee = feeOf(30), payment = uuid(withdrawal) } = wanted;
    const units = (asset === ETH ? atoms * 10n ** 10n : atoms).toString();
    const statement = this.statement(wanted);
    const intent = {
      kind: 'pay',
      network: 'eth',
      asset,
      parts: [{ withdrawal, destination, units }],
    } as const;
    return { kind: 'sign', payment, intent, fee, statements: [statement], approvals: {} };
  }

  statement(wanted: Wanted, privateKey = WITNESS.privateKey): SignedStatement {
    const {
      asset = ETH,
      atoms = 100_000_000n,
      destination = ALICE,
      frame = 7,
      withdrawal,
    } = wanted;
    const statement = {
      withdrawal,
      asset,
      atoms: atoms.toString(),
      destination: destinationHash(withdrawal, 'eth', destination),
      timeMs: this.nowMs,
      frame,
    };
    return { ...statement, signature: signText(statementText('demo', statement), privateKey) };
  }

  /** Repeats a request with approvals of the text that the signer asked for. */
  approved<Request extends { readonly approvals: object }>(
    request: Request,
    by: readonly ('a1' | 'a2')[],
  ): Request & { readonly notAfterMs: number } {
    const { notAfterMs, text } = this.ask(request) as ApprovalsNeededAnswer;
    const signatures = by.map((name) => [name, signText(text, KEYS_FOR_TEST[name].privateKey)]);
    return { ...request, approvals: Object.fromEntries(signatures), notAfterMs };
  }

  #start(): [Journal, (request: unknown) => SignerAnswer] {
    const state = new SignerState();
    const { macKey } = this.keys;
    const journal = new Journal({ path: this.path, macKey, replay: (one) => state.apply(one) });
    this.state = state;
    return [journal, this.#signer(journal).connect()];
  }

  #signer(journal: Journal): Signer {
    const { keys, state } = this;
    return new Signer({ keys, journal, state, nowMs: () => this.nowMs, onAnswer: () => {} });
  }
}
