// History of each command of one source, by its number, in columns, because a drill has millions.

import { REFUSALS, type Refusal } from '../../../core/messages/index.ts';

/** First copy of the command in the log. */
export interface CommandHistory {
  readonly command: number;
  readonly sequence: number;
  readonly refusal: Refusal;
  readonly eventsCrc: number;
  /** Number of times it took effect. */
  readonly applications: number;
}

const APPLICATIONS_MAX = 255;

export class CommandTable {
  #commands = new Float64Array(1_024);
  #sequences = new Float64Array(1_024);
  #crcs = new Uint32Array(1_024);
  #refusals = new Uint8Array(1_024);
  #applications = new Uint8Array(1_024);
  #last = 0;

  get(number: number): CommandHistory | undefined {
    if (!this.has(number)) return undefined;
    return {
      command: this.#commands[number],
      sequence: this.#sequences[number],
      refusal: REFUSALS[this.#refusals[number]],
      eventsCrc: this.#crcs[number],
      applications: this.#applications[number],
    };
  }

  has(number: number): boolean {
    return number <= this.#last && this.#commands[number] !== 0;
  }

  set(number: number, history: CommandHistory): void {
    this.#reserve(number);
    this.#last = Math.max(this.#last, number);
    this.#commands[number] = history.command;
    this.#sequences[number] = history.sequence;
    this.#refusals[number] = REFUSALS.indexOf(history.refusal);
    this.#crcs[number] = history.eventsCrc;
    this.#applications[number] = history.applications;
  }

  applyAgain(number: number): void {
    this.#applications[number] = Math.min(this.#applications[number] + 1, APPLICATIONS_MAX);
  }

  /** Numbers of commands that took effect more than once. */
  doubled(): number[] {
    const found: number[] = [];
    for (let number = 1; number <= this.#last; number++) {
      if (this.#applications[number] > 1) found.push(number);
    }
    return found;
  }

  #reserve(number: number): void {
    const { length } = this.#commands;
    if (number < length) return;
    const size = Math.max(2 * length, number + 1);
    this.#commands = copied(new Float64Array(size), this.#commands);
    this.#sequences = copied(new Float64Array(size), this.#sequences);
    this.#crcs = copied(new Uint32Array(size), this.#crcs);
    this.#refusals = copied(new Uint8Array(size), this.#refusals);
    this.#applications = copied(new Uint8Array(size), this.#applications);
  }
}

function copied<Column extends Float64Array | Uint32Array | Uint8Array>(
  to: Column,
  from: Column,
): Column {
  to.set(from);
  return to;
}
