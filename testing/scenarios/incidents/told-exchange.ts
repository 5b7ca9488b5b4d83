// An engine that a program can talk to in the stories' sentences, one frame at a time, and a way
// to drive it with a seeded flow. For incidents that are too long or too random to be drawn.

import {
  accountsOf,
  applyFrame,
  createExchange,
  type Exchange,
} from '../../../core/engine/index.ts';
import {
  type CommandFrame,
  type Event,
  type EventFrame,
  EXTERNAL_OWNER,
} from '../../../core/messages/index.ts';
import type { Flow } from '../../flows/index.ts';
import { type Step, tellSentences } from '../compile-scenario.ts';

export interface ToldExchange {
  readonly exchange: Exchange;
  /** One frame of these sentences. */
  readonly tell: (...sentences: string[]) => readonly Event[];
  /** The frame of a sentence, to be changed and applied by hand. */
  readonly frameOf: (...sentences: string[]) => CommandFrame;
}

export function openTold(given: readonly string[], people: readonly string[]): ToldExchange {
  const exchange = createExchange();
  const telling = tellSentences(given, people);
  const apply = ({ frame }: Step) => applyFrame(exchange, frame).events;
  for (const step of telling.setUp) {
    if (apply(step).some((event) => event.kind === 'CommandRefused')) {
      throw new Error('the set-up was refused');
    }
  }
  return {
    exchange,
    tell: (...sentences) => apply(telling.tell(sentences)),
    frameOf: (...sentences) => telling.tell(sentences).frame,
  };
}

/** Gives a flow what the exchange makes of its frames, for so many frames. */
export function drive(
  flow: Flow,
  frames: number,
  apply: (frame: CommandFrame) => EventFrame,
): void {
  let next = flow.next();
  for (let count = 0; count < frames; count += 1) next = flow.next(apply(next.value));
}

/** Those who are below zero, in words; only what is outside may be. */
export function belowZero(exchange: Exchange): string[] {
  return accountsOf(exchange)
    .filter(
      ({ owner, availableAtoms, heldAtoms }) =>
        heldAtoms < 0n || (availableAtoms < 0n && owner !== EXTERNAL_OWNER),
    )
    .map(({ owner, asset }) => `owner ${owner} in asset ${asset}`);
}
