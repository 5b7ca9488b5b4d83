// Cancel on disconnect: a dead man's switch in the engine, renewed while sockets that requested it
// are open, so that it also fires if this process dies. When the last socket of a key closes, the
// switch runs out. Commands for one key go one at a time.

import type { KeyId, UserId } from '../../../core/money/index.ts';
import type { Caller } from '../../../domain/credentials/index.ts';
import type { Bus, Subscription, Watch } from '../../../infra/bus/index.ts';
import type { CommandClient, Outcome } from '../../../infra/command-link/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import {
  CANCEL_ON_DISCONNECT_MAX,
  CANCEL_ON_DISCONNECT_MIN,
  streamTexts,
} from '../../../protocol/index.ts';
import type { OperationCall, StreamError, StreamNotice, Subscriber } from '../topic.ts';

export interface CancelOnDisconnectOptions {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly exchange: string;
  readonly commands: Pick<CommandClient, 'nextId' | 'send'>;
  readonly commandTimeoutMs: number;
  readonly watcher: CancelOnDisconnectWatcher;
}

export interface CancelOnDisconnectWatcher {
  /** The engine did not accept the command; it is sent again. */
  rejected(outcome: string): void;
  released(): void;
}

/** The engine's minimum. */
const RELEASE_MS = 1_000;
// Two of three renewals may be late.
const RENEWALS_PER_TIMEOUT = 3;
const RETRY_AFTER_MS = 500;
const RETRIES_MAX = 20;

type Answer = StreamError | StreamNotice;

/** Per key; the sessions of a user share one, because their orders have no key. */
interface Switch {
  readonly user: UserId;
  readonly key: KeyId;
  /** The sockets that requested it, with their timeouts. */
  readonly subscribers: Map<Subscriber, { readonly timeoutMs: number; readonly watch: Watch }>;
  /** Which command to send when no socket is left. */
  ending: 'let_go' | 'off';
  /** Callers that wait for the engine's answer to the next command. */
  waiting: { readonly notice: StreamNotice; readonly answer: (answer: Answer) => void }[];
  isSending: boolean;
  /** The state has changed since the last command. */
  isStale: boolean;
  retries: number;
  timer: Timer | undefined;
}

export class CancelOnDisconnect {
  readonly #options: CancelOnDisconnectOptions;
  readonly #switches = new Map<string, Switch>();
  readonly #subject: string;
  readonly #subscription: Subscription;
  #isStopped = false;

  constructor(options: CancelOnDisconnectOptions) {
    this.#options = options;
    this.#subject = `${options.exchange}.switches.let-go`;
    this.#subscription = options.bus.subscribe(this.#subject, (message) => this.#onEvents(message));
  }

  /** `{"op":"cancel_on_disconnect","args":[{"timeout":30}]}` */
  operate({ args, subscriber }: OperationCall): Answer | Promise<Answer> {
    const { caller } = subscriber;
    if (caller === undefined) return { error: streamTexts.authenticationRequired };
    if (!caller.canTrade) return { error: streamTexts.notAuthorized };
    if (this.#isStopped) return { error: streamTexts.unavailable };
    const timeoutS = timeoutOf(args);
    if (timeoutS === undefined) return { error: streamTexts.wrongInput };
    if (timeoutS === 0) return this.#disarm(subscriber, caller);
    return this.#arm(subscriber, caller, timeoutS * 1_000);
  }

  get switchCount(): number {
    return this.#switches.size;
  }

  /**
   * Switches keep their last timeout: a client that reconnects elsewhere in time loses no order.
   */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#subscription.stop();
    for (const { subscribers, timer } of this.#switches.values()) {
      timer?.cancel();
      forget(subscribers);
    }
    this.#switches.clear();
  }

  #arm(subscriber: Subscriber, caller: Caller, timeoutMs: number): Promise<Answer> {
    const found = this.#switchOf(caller);
    found.subscribers.get(subscriber)?.watch.stop();
    const watch = subscriber.watchClose(() => this.#onClosed(found, subscriber));
    found.subscribers.set(subscriber, { timeoutMs, watch });
    const message = `Cancel on disconnect after ${timeoutMs / 1_000} seconds`;
    return this.#updateAndAnswer(found, { message });
  }

  #disarm(subscriber: Subscriber, caller: Caller): Answer | Promise<Answer> {
    const found = this.#switches.get(nameOf(caller));
    const entry = found?.subscribers.get(subscriber);
    if (found === undefined || entry === undefined) return OFF;
    entry.watch.stop();
    found.subscribers.delete(subscriber);
    found.ending = 'off';
    return this.#updateAndAnswer(found, OFF);
  }

  #onClosed(found: Switch, subscriber: Subscriber): void {
    if (this.#isStopped) return;
    found.subscribers.delete(subscriber);
    found.ending = 'let_go';
    if (found.subscribers.size > 0) return;
    this.#options.watcher.released();
    this.#update(found);
  }

  /** Another gateway released or disabled the switch. If a socket here still needs it, renew it. */
  #onEvents(message: Uint8Array): void {
    const found = this.#switches.get(Buffer.from(message).toString());
    if (found !== undefined && found.subscribers.size > 0) this.#update(found);
  }

  #switchOf(caller: Caller): Switch {
    const name = nameOf(caller);
    let found = this.#switches.get(name);
    if (found === undefined) {
      const { key, user } = caller;
      found = {
        user,
        key,
        subscribers: new Map(),
        ending: 'let_go',
        waiting: [],
        isSending: false,
        isStale: false,
        retries: 0,
        timer: undefined,
      };
      this.#switches.set(name, found);
    }
    return found;
  }

  #updateAndAnswer(found: Switch, notice: StreamNotice): Promise<Answer> {
    return new Promise((answer) => {
      found.waiting.push({ notice, answer });
      this.#update(found);
    });
  }

  #update(found: Switch): void {
    found.timer?.cancel();
    found.isStale = true;
    if (!found.isSending) this.#send(found);
  }

  #send(found: Switch): void {
    const { commands, commandTimeoutMs } = this.#options;
    const { key, user, waiting } = found;
    const timeoutMs = timeoutToSend(found);
    found.isSending = true;
    found.isStale = false;
    found.waiting = [];
    const command = { kind: 'SetDeadManSwitch', user, key, timeoutMs } as const;
    commands.send({ ...command, ...commands.nextId() }, commandTimeoutMs, (outcome) => {
      found.isSending = false;
      const error = errorOf(outcome);
      for (const { answer, notice } of waiting) answer(error ?? notice);
      if (!this.#isStopped) this.#continue(found, outcome);
    });
  }

  #continue(found: Switch, outcome: Outcome): void {
    const { clock, watcher } = this.#options;
    const word = wordFor(outcome);
    const isTaken = word === 'none';
    const isRefused = outcome.kind === 'answered' && !isTaken;
    if (!isTaken) watcher.rejected(word);
    // The callers have received an error: they are not protected.
    if (isRefused) forget(found.subscribers);
    found.retries = isTaken ? 0 : found.retries + 1;
    if (found.isStale) {
      this.#send(found);
    } else if (found.subscribers.size > 0) {
      const pauseMs = isTaken ? timeoutToSend(found) / RENEWALS_PER_TIMEOUT : RETRY_AFTER_MS;
      found.timer = clock.after(pauseMs, () => this.#update(found));
    } else if (isTaken || isRefused || found.retries > RETRIES_MAX) {
      // After this many retries the switch has run out by itself.
      this.#switches.delete(nameOf(found));
      this.#options.bus.publish(this.#subject, Buffer.from(nameOf(found)));
    } else {
      found.timer = clock.after(RETRY_AFTER_MS, () => this.#update(found));
    }
  }
}

function forget(subscribers: Switch['subscribers']): void {
  for (const { watch } of subscribers.values()) watch.stop();
  subscribers.clear();
}

const OFF: StreamNotice = { message: 'Cancel on disconnect is off' };

/** The shortest requested timeout, or the final one when no socket is left. */
function timeoutToSend({ ending, subscribers }: Switch): number {
  if (subscribers.size === 0) return ending === 'off' ? 0 : RELEASE_MS;
  return Math.min(...[...subscribers.values()].map(({ timeoutMs }) => timeoutMs));
}

function errorOf(outcome: Outcome): StreamError | undefined {
  const word = wordFor(outcome);
  return word === 'none' ? undefined : { error: `Cancel on disconnect could not be set: ${word}` };
}

function wordFor(outcome: Outcome): string {
  if (outcome.kind === 'answered') return outcome.result.refusal;
  return outcome.kind === 'not_taken' ? outcome.reason : 'outcome unknown';
}

function nameOf({ key, user }: { readonly user: UserId; readonly key: KeyId }): string {
  return `${user}.${key}`;
}

function timeoutOf(args: readonly unknown[]): number | undefined {
  const [argument] = args;
  if (args.length !== 1 || typeof argument !== 'object' || argument === null) return undefined;
  const { timeout } = argument as { timeout?: unknown };
  if (typeof timeout !== 'number' || !Number.isInteger(timeout)) return undefined;
  const isInRange = timeout >= CANCEL_ON_DISCONNECT_MIN && timeout <= CANCEL_ON_DISCONNECT_MAX;
  return timeout === 0 || isInRange ? timeout : undefined;
}
