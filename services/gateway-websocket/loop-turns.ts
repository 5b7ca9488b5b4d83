// Divides long work among event loop turns to keep a wave of messages from stalling the gateway.
// One limit per turn covers all clients. Clients take turns, so a client with much work does not
// delay others.

import type { Clock } from '../../infra/process/index.ts';

/** Work in small steps; each yields its weight. */
export type Steps = Iterator<number, void>;

export interface Work {
  /** User, or address for unauthenticated sockets. */
  readonly client: string;
  readonly steps: Steps;
  /** Called with the steps for each turn. */
  batch(task: () => void): void;
}

interface Waiting extends Work {
  readonly done: PromiseWithResolvers<void>;
}

export interface LoopTurnsOptions {
  readonly clock: Pick<Clock, 'soon'>;
  /** Total weight of the steps in a turn. */
  readonly weightPerTurn?: number;
}

// About 5 ms of work: a subscription to a ten-level book has the weight 1.
const WEIGHT_PER_TURN = 200;
// Weight of a client's steps before the next client's steps run.
const SHARE = 50;

/** idle ──work──▶ turning: a task at the end of each turn ──a turn without work──▶ idle */
export class LoopTurns {
  readonly #clock: LoopTurnsOptions['clock'];
  readonly #weightPerTurn: number;
  /** By client, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  #left: number;
  #isTurning = false;

  constructor({ clock, weightPerTurn = WEIGHT_PER_TURN }: LoopTurnsOptions) {
    this.#clock = clock;
    this.#weightPerTurn = weightPerTurn;
    this.#left = weightPerTurn;
  }

  /** Returns undefined if all the work was done immediately. */
  run(work: Work): Promise<void> | undefined {
    this.#turn();
    if (this.#waiting.size === 0 && this.#advance(work, this.#left)) return undefined;
    const waiting = { ...work, done: Promise.withResolvers<void>() };
    const own = this.#waiting.get(work.client);
    if (own === undefined) this.#waiting.set(work.client, [waiting]);
    else own.push(waiting);
    return waiting.done.promise;
  }

  #turn(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#clock.soon(() => {
      this.#isTurning = false;
      this.#left = this.#weightPerTurn;
      if (this.#waiting.size > 0) this.#runWaiting();
    });
  }

  #runWaiting(): void {
    this.#turn();
    while (this.#left > 0) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [client, all] = next;
      const [work] = all;
      this.#waiting.delete(client);
      try {
        if (this.#advance(work, Math.min(SHARE, this.#left))) {
          all.shift();
          work.done.resolve();
        }
      } catch (fault) {
        all.shift();
        work.done.reject(fault);
      }
      // Behind all other clients.
      if (all.length > 0) this.#waiting.set(client, all);
    }
  }

  /** Returns true if no step is left. */
  #advance({ batch, steps }: Work, weight: number): boolean {
    if (weight <= 0) return false;
    let isDone = false;
    let spent = 0;
    batch(() => {
      while (!isDone && spent < weight) {
        const { done, value } = steps.next();
        isDone = done === true;
        spent += value ?? 0;
      }
    });
    this.#left -= spent;
    return isDone;
  }
}
