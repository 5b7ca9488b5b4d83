// State machine as a table: its states with the wire flags they imply, and its moves. Pure. The two
// tables are withdrawals/states.ts and deposits/states.ts; request-moves.ts applies them to rows.

import type { OutboxCommand } from '../../platform/outbox/index.ts';

/**
 * engine: the dispatcher, recording the engine's outcome. payer: the process or operator who pays a
 * withdrawal. watcher: the process that follows a chain. clock: a scheduled job.
 */
export type Actor = 'user' | 'operator' | 'engine' | 'payer' | 'watcher' | 'clock';

/** Wire flags. `status` is true for a completed request. */
export type WireFlag = 'status' | 'processing' | 'waiting' | 'rejected' | 'dismissed';

export interface StateMeaning {
  /** open: awaiting an actor. asked: awaiting the engine's outcome. ended: final. */
  readonly phase: 'open' | 'asked' | 'ended';
  /** Flags implied by the state; an operator's marks can add to them. */
  readonly wire: readonly WireFlag[];
}

type CommandKind = OutboxCommand['kind'];

export interface Arrow<State extends string, Move extends string> {
  readonly move: Move;
  /** 'new' if the move inserts the row. */
  readonly from: State | 'new';
  readonly to: State;
  readonly by: readonly Actor[];
  /** Kinds of commands; the move appends one of them to the outbox in the same transaction. */
  readonly appends?: readonly CommandKind[];
  /** Kinds of commands whose outcome the move records. */
  readonly answers?: readonly CommandKind[];
}

/** Errors for a missing request, and for one whose state does not allow a move. */
export interface MachineRefusals {
  readonly missing: 'deposit_not_found' | 'withdrawal_not_found';
  readonly notMovable: 'deposit_ended' | 'withdrawal_under_way';
}

export interface StateMachineTable<State extends string, Move extends string> {
  readonly table: 'withdrawal_requests' | 'deposit_requests';
  readonly refusals: MachineRefusals;
  readonly states: Readonly<Record<State, StateMeaning>>;
  readonly arrows: readonly Arrow<State, Move>[];
}

export class StateMachine<State extends string, Move extends string> {
  readonly table: StateMachineTable<State, Move>['table'];
  readonly refusals: MachineRefusals;
  readonly states: Readonly<Record<State, StateMeaning>>;
  readonly arrows: readonly Arrow<State, Move>[];
  readonly #stateNames: readonly State[];

  constructor({ arrows, refusals, states, table }: StateMachineTable<State, Move>) {
    this.table = table;
    this.refusals = refusals;
    this.states = states;
    this.arrows = arrows;
    this.#stateNames = Object.keys(states) as State[];
  }

  /** Returns undefined if the table does not allow this move from this state by this actor. */
  find(from: State | 'new', move: Move, by: Actor): Arrow<State, Move> | undefined {
    return this.arrows.find(
      (arrow) => arrow.from === from && arrow.move === move && arrow.by.includes(by),
    );
  }

  statesIn(phase: StateMeaning['phase']): readonly State[] {
    return this.#stateNames.filter((state) => this.states[state].phase === phase);
  }

  statesWith(flag: WireFlag): readonly State[] {
    return this.#stateNames.filter((state) => this.implies(state, flag));
  }

  /** Final states in which no money moved. */
  get failedStates(): readonly State[] {
    return this.statesIn('ended').filter((state) => !this.implies(state, 'status'));
  }

  implies(state: State, flag: WireFlag): boolean {
    return this.states[state].wire.includes(flag);
  }
}
