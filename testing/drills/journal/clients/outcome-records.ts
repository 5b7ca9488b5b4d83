// Outcome of each command as its client saw it, in 32 bytes, so millions fit into memory and into a
// file. Written by the clients of the journal drill, read by its checks.

import { readFileSync, writeFileSync } from 'node:fs';
import { REFUSALS, type Refusal } from '../../../../core/messages/index.ts';

export const OUTCOME_KINDS = ['nothing', 'answered', 'not_taken', 'unknown'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

export interface OutcomeRecord {
  readonly kind: OutcomeKind;
  /** Round of the drill in which the command was sent. */
  readonly round: number;
  /** Number of the command in the log, and the frame it was answered for; 0 unless answered. */
  readonly command: number;
  readonly sequence: number;
  readonly refusal: Refusal;
  readonly isRepeat: boolean;
  /** CRC-32 of the events in the answer; undefined if not all were included. */
  readonly eventsCrc: number | undefined;
}

const RECORD_BYTES = 32;
const SEQUENCE_AT = 8;
const CRC_AT = 16;
const ROUND_AT = 20;
const KIND_AT = 24;
const REFUSAL_AT = 25;
const FLAGS_AT = 26;
const IS_REPEAT = 1;
const HAS_ALL_EVENTS = 2;

/** The commands of one source, numbered from 1. */
export class OutcomeRecords {
  #view: DataView<ArrayBuffer>;
  #count: number;

  constructor(bytes = new Uint8Array(0)) {
    this.#view = new DataView(new Uint8Array(bytes).buffer);
    this.#count = bytes.length / RECORD_BYTES;
  }

  static read(file: string): OutcomeRecords {
    return new OutcomeRecords(readFileSync(file));
  }

  write(file: string): void {
    writeFileSync(file, new Uint8Array(this.#view.buffer, 0, this.#count * RECORD_BYTES));
  }

  get count(): number {
    return this.#count;
  }

  /** Records that a command was sent; until `set`, its sender has no answer. */
  open(number: number, round: number): void {
    this.#reserve(number);
    this.#count = Math.max(this.#count, number);
    this.#view.setUint32(this.#at(number) + ROUND_AT, round, true);
  }

  set(number: number, outcome: Omit<OutcomeRecord, 'round'>): void {
    const at = this.#at(number);
    const view = this.#view;
    const { eventsCrc, isRepeat } = outcome;
    const flags = (isRepeat ? IS_REPEAT : 0) | (eventsCrc === undefined ? 0 : HAS_ALL_EVENTS);
    view.setFloat64(at, outcome.command, true);
    view.setFloat64(at + SEQUENCE_AT, outcome.sequence, true);
    view.setUint32(at + CRC_AT, eventsCrc ?? 0, true);
    view.setUint8(at + KIND_AT, OUTCOME_KINDS.indexOf(outcome.kind));
    view.setUint8(at + REFUSAL_AT, REFUSALS.indexOf(outcome.refusal));
    view.setUint8(at + FLAGS_AT, flags);
  }

  get(number: number): OutcomeRecord {
    const at = this.#at(number);
    const view = this.#view;
    const flags = view.getUint8(at + FLAGS_AT);
    const hasAllEvents = (flags & HAS_ALL_EVENTS) !== 0;
    return {
      kind: OUTCOME_KINDS[view.getUint8(at + KIND_AT)],
      round: view.getUint32(at + ROUND_AT, true),
      command: view.getFloat64(at, true),
      sequence: view.getFloat64(at + SEQUENCE_AT, true),
      refusal: REFUSALS[view.getUint8(at + REFUSAL_AT)],
      isRepeat: (flags & IS_REPEAT) !== 0,
      eventsCrc: hasAllEvents ? view.getUint32(at + CRC_AT, true) : undefined,
    };
  }

  #at(number: number): number {
    return (number - 1) * RECORD_BYTES;
  }

  #reserve(number: number): void {
    const needed = number * RECORD_BYTES;
    if (needed <= this.#view.byteLength) return;
    const grown = new Uint8Array(Math.max(2 * this.#view.byteLength, needed, 1024 * RECORD_BYTES));
    grown.set(new Uint8Array(this.#view.buffer));
    this.#view = new DataView(grown.buffer);
  }
}
