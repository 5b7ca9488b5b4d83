// Delivers a user's orders, trades and balances in order and exactly once, across reconnects. After
// a gap or a checksum mismatch it resumes from the last verified position.

import { EventChain } from './event-chain.ts';
import type { RialtoError } from './rialto-error.ts';
import type { TopicMessage } from './stream-connection.ts';
import { type SubscribeOptions, Subscription } from './subscription.ts';
import type { Subscriber } from './subscription-set.ts';
import type { StreamMessages } from './wire.generated.ts';

/** A message of the topics `order`, `usertrade` or `wallet`. */
export type AccountMessage<D = string> = StreamMessages<D>['private']['data'][number];

export interface UserEvents<D = string> {
  /**
   * snapshot: all open orders, recent trades and balances; discard your previous state.
   * resumed:  nothing was missed; events continue after `sequence`.
   * event:    something new.
   */
  readonly action: 'snapshot' | 'resumed' | 'event';
  /** Store it with your state: the stream can resume from here. */
  readonly sequence: string;
  readonly messages: readonly AccountMessage<D>[];
}

export interface AccountOptions<D> extends SubscribeOptions<UserEvents<D>> {
  /** The `sequence` of the last events that you processed, possibly in an earlier run. */
  readonly resumeFrom?: string;
}

/**
 * gap, checksum mismatch: a message failed verification; the client discards it and resubscribes.
 * not protected:          cancel on disconnect is not set; the client retries.
 */
export type StreamFault = 'gap' | 'checksum mismatch' | 'not protected';

/** After more failures in a row than this, the client requests a snapshot. */
const RESUMPTIONS_MAX = 2;

export class AccountSubscriber<D> implements Subscriber {
  readonly topic = 'private';
  readonly symbol = undefined;
  readonly subscription: Subscription<UserEvents<D>>;
  readonly #chain: EventChain;
  readonly #restart: () => void;
  readonly #onFault: (fault: StreamFault) => void;
  #failures = 0;

  constructor(
    options: AccountOptions<D>,
    on: { restart(): void; end(): void; fault(fault: StreamFault): void },
  ) {
    this.#chain = new EventChain(options.resumeFrom);
    this.#restart = () => on.restart();
    this.#onFault = (fault) => on.fault(fault);
    this.subscription = new Subscription(options, () => on.end());
  }

  requestFields(): Readonly<Record<string, unknown>> {
    const { position } = this.#chain;
    return position === undefined ? {} : { resume_from: position };
  }

  onSubscribe(): void {
    this.#chain.reset();
  }

  onMessage(message: TopicMessage, text: string): void {
    const envelope = message as StreamMessages<D>['private'];
    const result = this.#chain.check(envelope, text);
    if (result === 'repeat') return;
    if (result === 'valid') {
      this.#failures = 0;
      const { action, data, sequence } = envelope;
      this.subscription.push({ action, sequence, messages: data });
      return;
    }
    this.#onFault(result);
    this.#failures += 1;
    if (this.#failures > RESUMPTIONS_MAX) this.#chain.forget();
    this.#restart();
  }

  onFailure(error: RialtoError): void {
    this.subscription.fail(error);
  }

  onClose(): void {
    this.subscription.close();
  }
}
