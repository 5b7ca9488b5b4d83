// Replay of the COMMANDS log for the final checks: every frame from the first, through a new
// engine. Everything else is compared with its commands, events and hashes.

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { accountsOf, auditExchange } from '../../../core/engine/index.ts';
import {
  type Command,
  type Event,
  EXTERNAL_OWNER,
  type Refusal,
} from '../../../core/messages/index.ts';
import { FrameChain, LOG_START } from '../../../infra/journal/archive-chain.ts';
import { hashFrame, openSealedFrame } from '../../../infra/journal/index.ts';
import {
  type Applied,
  Replica,
  SPAN_FIELDS,
  SPAN_FROM,
  SPAN_PART,
  SPAN_TO,
} from '../../../infra/replica/index.ts';
import { SEQUENCER_DEFAULTS, StateHashes } from '../../../services/sequencer/index.ts';
import { CommandTable } from './command-table.ts';

/** One event frame, as the EVENTS log must contain it. */
export interface MadePart {
  readonly sequence: number;
  readonly part: number;
  readonly isLast: boolean;
  readonly sha256: string;
}

export interface Milestone {
  readonly frameHash: string;
  readonly stateHash: string;
}

export class StraightReplay {
  /** Command histories by source. */
  readonly histories = new Map<number, CommandTable>();
  readonly parts: MadePart[] = [];
  /** SHA-256 of each log message. */
  readonly messageHashes: Uint8Array[] = [];
  readonly outputDigests = new Map<number, number>();
  /** Hashes of state samples, as leaders publish them. */
  readonly stateSamples = new Map<number, string>();
  /** State hashes after the requested frames. */
  readonly milestones = new Map<number, Milestone>();
  /** Deposits and client order IDs that took effect more than once. */
  readonly doubledNames: string[] = [];
  readonly #replica = Replica.create();
  readonly #chain = new FrameChain(LOG_START);
  readonly #samples = new StateHashes(SEQUENCER_DEFAULTS.stateHashes);
  readonly #hashedAt: ReadonlySet<number>;
  readonly #names = new Set<string>();
  readonly #issued = new Map<number, bigint>();

  /** State hashes are expensive, so they are taken after these frames only. */
  constructor(hashedAt: ReadonlySet<number>) {
    this.#hashedAt = hashedAt;
  }

  get last(): number {
    return this.#replica.sequence;
  }

  get commands(): number {
    return this.#replica.exchange.commandsApplied;
  }

  /** Throws if the message does not continue the log. */
  apply(message: Uint8Array): void {
    const sealed = openSealedFrame(message);
    if (sealed === undefined) throw new Error(`message ${this.last + 1} is torn`);
    const frame = this.#chain.next(sealed.frame);
    this.messageHashes.push(hashFrame(message));
    const applied = this.#replica.apply(frame, sealed.frameHash, frame.commands.length);
    this.#samples.after(this.#replica);
    const sampled = this.#samples.at(frame.sequence);
    if (sampled !== undefined) this.stateSamples.set(frame.sequence, sampled.stateHash);
    for (const { bytes, isLast, part, sequence } of applied.encoded.parts) {
      this.parts.push({ sequence, part, isLast, sha256: hash('sha256', bytes) });
    }
    for (const { digest, sequence } of this.#replica.outputDigests.slice(-1)) {
      this.outputDigests.set(sequence, digest);
    }
    this.#readHistories(applied);
    if (!this.#hashedAt.has(frame.sequence)) return;
    const { frameHash } = this.#chain.at;
    this.milestones.set(frame.sequence, { frameHash, stateHash: this.#replica.stateHash() });
  }

  /** Returns faults in the final ledger, one sentence each. */
  audit(): string[] {
    const { exchange } = this.#replica;
    const faults: string[] = [];
    try {
      auditExchange(exchange);
    } catch (fault) {
      faults.push(`the audit fails: ${fault}`);
    }
    const outside = accountsOf(exchange).filter(({ owner }) => owner === EXTERNAL_OWNER);
    for (const { asset, availableAtoms } of outside) {
      const issued = this.#issued.get(asset) ?? 0n;
      if (availableAtoms === -issued) continue;
      faults.push(`${-availableAtoms} atoms of asset ${asset} exist, ${issued} were deposited`);
    }
    return faults;
  }

  #readHistories({ encoded, events, frame }: Applied): void {
    const exceptions = exceptionsOf(events.events);
    for (const [index, command] of frame.commands.entries()) {
      const number = events.firstCommand + index;
      const exception = exceptions.get(number);
      const isRepeat = exception?.kind === 'CommandRepeated';
      const histories = this.#historiesOf(command.source);
      if (histories.has(command.number)) {
        if (!isRepeat) histories.applyAgain(command.number);
        continue;
      }
      const refusal = refusalOf(exception);
      const history = { command: number, sequence: frame.sequence, refusal };
      const eventsCrc = crcOf(encoded, index);
      const applications = isRepeat ? 0 : 1;
      histories.set(command.number, { ...history, eventsCrc, applications });
      if (refusal === 'none') this.#noteEffect(command);
    }
  }

  #historiesOf(source: number): CommandTable {
    let histories = this.histories.get(source);
    if (histories === undefined) this.histories.set(source, (histories = new CommandTable()));
    return histories;
  }

  /** A deposit or a named order must take effect only once, under any command ID. */
  #noteEffect(command: Command): void {
    if (command.kind === 'CreditDeposit') {
      this.#noteName(`deposit ${command.channel}:${command.channelSequence}`);
      const issued = this.#issued.get(command.asset) ?? 0n;
      this.#issued.set(command.asset, issued + command.amountAtoms);
    } else if (command.kind === 'PlaceOrder' && command.clientOrderId !== '') {
      this.#noteName(`order ${command.user}:${command.clientOrderId}`);
    }
  }

  #noteName(name: string): void {
    if (this.#names.has(name)) this.doubledNames.push(name);
    this.#names.add(name);
  }
}

type Exception = Extract<Event, { kind: 'CommandRefused' | 'CommandRepeated' | 'CommandPoisoned' }>;

function exceptionsOf(events: readonly Event[]): Map<number, Exception> {
  const found = new Map<number, Exception>();
  for (const event of events) {
    const { kind } = event;
    if (kind === 'CommandRefused' || kind === 'CommandRepeated' || kind === 'CommandPoisoned') {
      found.set(event.command, event);
    }
  }
  return found;
}

function refusalOf(exception: Exception | undefined): Refusal {
  if (exception === undefined) return 'none';
  return exception.kind === 'CommandPoisoned' ? 'command_is_poisoned' : exception.refusal;
}

function crcOf({ parts, spans }: Applied['encoded'], index: number): number {
  const span = index * SPAN_FIELDS;
  const { bytes } = parts[spans[span + SPAN_PART]];
  return crc32(bytes.subarray(spans[span + SPAN_FROM], spans[span + SPAN_TO]));
}
