// An engine that a test drives with story sentences, one frame at a time, or with a seeded flow.
// For incidents that are too long or too random for a story.

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
import { compileSentences, type Step } from '../compile-scenario.ts';

export interface ScriptedExchange {
  readonly exchange: Exchange;
  /** Applies one frame with these sentences. */
  readonly apply: (...sentences: string[]) => readonly Event[];
  /** The frame with these sentences, which the test changes and applies. */
  readonly frameOf: (...sentences: string[]) => CommandFrame;
}

export function openScripted(
  given: readonly string[],
  people: readonly string[],
): ScriptedExchange {
  const exchange = createExchange();
  const script = compileSentences(given, people);
  const apply = ({ frame }: Step) => applyFrame(exchange, frame).events;
  for (const step of script.setUp) {
    if (apply(step).some((event) => event.kind === 'CommandRefused')) {
      throw new Error('the setup was rejected');
    }
  }
  return {
    exchange,
    apply: (...sentences) => apply(script.nextStep(sentences)),
    frameOf: (...sentences) => script.nextStep(sentences).frame,
  };
}

/** Runs a flow against an exchange for a number of frames. */
export function drive(
  flow: Flow,
  frames: number,
  apply: (frame: CommandFrame) => EventFrame,
): void {
  let next = flow.next();
  for (let count = 0; count < frames; count += 1) next = flow.next(apply(next.value));
}

/** Accounts below zero, as text; only external is allowed to be. */
export function belowZero(exchange: Exchange): string[] {
  return accountsOf(exchange)
    .filter(
      ({ owner, availableAtoms, heldAtoms }) =>
        heldAtoms < 0n || (availableAtoms < 0n && owner !== EXTERNAL_OWNER),
    )
    .map(({ owner, asset }) => `owner ${owner} in asset ${asset}`);
}
