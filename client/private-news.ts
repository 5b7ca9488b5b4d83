// A user's own stream: orders, trades and balances in one order, each piece once, over lost
// connections. What does not fit is not handed on; it is asked for again from the last good place.

import { Following, type FollowOptions } from './following.ts';
import { PrivateChain } from './private-chain.ts';
import type { RialtoError } from './rialto-error.ts';
import type { TopicMessage } from './stream-link.ts';
import type { Follower } from './subscriptions.ts';
import type { StreamMessages } from './wire.generated.ts';

/** What happened to a user, in the shapes of the topics `order`, `usertrade` and `wallet`. */
export type AccountMessage<D = string> = StreamMessages<D>['private']['data'][number];

export interface PrivateNews<D = string> {
  /**
   * snapshot: all open orders, recent trades and balances; forget what you had.
   * resumed:  nothing was missed; it goes on behind `sequence`.
   * event:    what is new.
   */
  readonly action: 'snapshot' | 'resumed' | 'event';
  /** Keep it with what you made of the messages: from there the stream can be resumed. */
  readonly sequence: string;
  readonly messages: readonly AccountMessage<D>[];
}

export interface PrivateOptions<D> extends FollowOptions<PrivateNews<D>> {
  /** The `sequence` of the last news that you have dealt with, perhaps in an earlier life. */
  readonly resumeFrom?: string;
}

/**
 * gap, checksum wrong: something did not fit, was not handed on, and is asked for again.
 * not protected:       the exchange does not cancel on disconnect at present; it is asked again.
 */
export type Trouble = 'gap' | 'checksum wrong' | 'not protected';

/** After so many failures in a row what is kept does not help: a snapshot is taken. */
const RESUMPTIONS_MAX = 2;

export class PrivateFollower<D> implements Follower {
  readonly topic = 'private';
  readonly symbol = undefined;
  readonly following: Following<PrivateNews<D>>;
  readonly #chain: PrivateChain;
  readonly #restart: () => void;
  readonly #onTrouble: (trouble: Trouble) => void;
  #failures = 0;

  constructor(
    options: PrivateOptions<D>,
    on: { restart(): void; end(): void; trouble(trouble: Trouble): void },
  ) {
    this.#chain = new PrivateChain(options.resumeFrom);
    this.#restart = () => on.restart();
    this.#onTrouble = (trouble) => on.trouble(trouble);
    this.following = new Following(options, () => on.end());
  }

  fields(): Readonly<Record<string, unknown>> {
    const { position } = this.#chain;
    return position === undefined ? {} : { resume_from: position };
  }

  begin(): void {
    this.#chain.begin();
  }

  take(message: TopicMessage, text: string): void {
    const envelope = message as unknown as StreamMessages<D>['private'];
    const step = this.#chain.take(envelope, text);
    if (step === 'repeat') return;
    if (step === 'taken') {
      this.#failures = 0;
      const { action, data, sequence } = envelope;
      this.following.give({ action, sequence, messages: data });
      return;
    }
    this.#onTrouble(step);
    this.#failures += 1;
    if (this.#failures > RESUMPTIONS_MAX) this.#chain.forget();
    this.#restart();
  }

  fail(error: RialtoError): void {
    this.following.fail(error);
  }

  end(): void {
    this.following.close();
  }
}
