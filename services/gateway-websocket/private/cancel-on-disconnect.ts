// Cancel on disconnect: a dead man's switch in the engine that is wound while sockets live that
// asked for it, so that it also fires when this process dies. When the last socket of a key goes,
// it is let run out. What the engine is told of one key is told one at a time.

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
  /** The engine did not take it; it is tried again. */
  notWound(outcome: string): void;
  letGo(): void;
}

/** The shortest that the engine knows. */
const LET_GO_MS = 1_000;
// Two of three may be late.
const WINDINGS_PER_TIMEOUT = 3;
const RETRY_AFTER_MS = 500;
const RETRIES_MAX = 20;

type Answer = StreamError | StreamNotice;

/** Of one key; of the sessions of a user together, whose orders have no key. */
interface Switch {
  readonly user: UserId;
  readonly key: KeyId;
  /** Those that asked for it, and their timeouts. */
  readonly subscribers: Map<Subscriber, { readonly timeoutMs: number; readonly watch: Watch }>;
  /** What the engine shall be told when nobody is left. */
  ending: 'let_go' | 'off';
  /** Whoever waits to hear what the engine said to what is asked for now. */
  waiting: { readonly notice: StreamNotice; readonly answer: (answer: Answer) => void }[];
  isTelling: boolean;
  /** Something has changed since the engine was last told. */
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
    this.#subscription = options.bus.subscribe(this.#subject, (message) =>
      this.#onMessage(message),
    );
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

  /** Switches stay as they were last wound: whoever connects elsewhere in time loses no order. */
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
    return this.#tellAndAnswer(found, { message });
  }

  #disarm(subscriber: Subscriber, caller: Caller): Answer | Promise<Answer> {
    const found = this.#switches.get(nameOf(caller));
    const entry = found?.subscribers.get(subscriber);
    if (found === undefined || entry === undefined) return OFF;
    entry.watch.stop();
    found.subscribers.delete(subscriber);
    found.ending = 'off';
    return this.#tellAndAnswer(found, OFF);
  }

  #onClosed(found: Switch, subscriber: Subscriber): void {
    if (this.#isStopped) return;
    found.subscribers.delete(subscriber);
    found.ending = 'let_go';
    if (found.subscribers.size > 0) return;
    this.#options.watcher.letGo();
    this.#tell(found);
  }

  /** A gateway let it go or turned it off. If one of its sockets is here, that was too early. */
  #onMessage(message: Uint8Array): void {
    const found = this.#switches.get(Buffer.from(message).toString());
    if (found !== undefined && found.subscribers.size > 0) this.#tell(found);
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
        isTelling: false,
        isStale: false,
        retries: 0,
        timer: undefined,
      };
      this.#switches.set(name, found);
    }
    return found;
  }

  #tellAndAnswer(found: Switch, notice: StreamNotice): Promise<Answer> {
    return new Promise((answer) => {
      found.waiting.push({ notice, answer });
      this.#tell(found);
    });
  }

  #tell(found: Switch): void {
    found.timer?.cancel();
    found.isStale = true;
    if (!found.isTelling) this.#send(found);
  }

  #send(found: Switch): void {
    const { commands, commandTimeoutMs } = this.#options;
    const { key, user, waiting } = found;
    const timeoutMs = timeoutToTell(found);
    found.isTelling = true;
    found.isStale = false;
    found.waiting = [];
    const command = { kind: 'SetDeadManSwitch', user, key, timeoutMs } as const;
    commands.send({ ...command, ...commands.nextId() }, commandTimeoutMs, (outcome) => {
      found.isTelling = false;
      const error = errorOf(outcome);
      for (const { answer, notice } of waiting) answer(error ?? notice);
      if (!this.#isStopped) this.#goOn(found, outcome);
    });
  }

  #goOn(found: Switch, outcome: Outcome): void {
    const { clock, watcher } = this.#options;
    const word = wordFor(outcome);
    const isTaken = word === 'none';
    const isRefused = outcome.kind === 'answered' && !isTaken;
    if (!isTaken) watcher.notWound(word);
    // Whoever asked for it has been told that it has no protection.
    if (isRefused) forget(found.subscribers);
    found.retries = isTaken ? 0 : found.retries + 1;
    if (found.isStale) {
      this.#send(found);
    } else if (found.subscribers.size > 0) {
      const pauseMs = isTaken ? timeoutToTell(found) / WINDINGS_PER_TIMEOUT : RETRY_AFTER_MS;
      found.timer = clock.after(pauseMs, () => this.#tell(found));
    } else if (isTaken || isRefused || found.retries > RETRIES_MAX) {
      // After so many the switch has run out by itself.
      this.#switches.delete(nameOf(found));
      this.#options.bus.publish(this.#subject, Buffer.from(nameOf(found)));
    } else {
      found.timer = clock.after(RETRY_AFTER_MS, () => this.#tell(found));
    }
  }
}

function forget(subscribers: Switch['subscribers']): void {
  for (const { watch } of subscribers.values()) watch.stop();
  subscribers.clear();
}

const OFF: StreamNotice = { message: 'Cancel on disconnect is off' };

/** The shortest that anybody asked for; what ends it when nobody is left. */
function timeoutToTell({ ending, subscribers }: Switch): number {
  if (subscribers.size === 0) return ending === 'off' ? 0 : LET_GO_MS;
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
  const [wish] = args;
  if (args.length !== 1 || typeof wish !== 'object' || wish === null) return undefined;
  const { timeout } = wish as { timeout?: unknown };
  if (typeof timeout !== 'number' || !Number.isInteger(timeout)) return undefined;
  const isInRange = timeout >= CANCEL_ON_DISCONNECT_MIN && timeout <= CANCEL_ON_DISCONNECT_MAX;
  return timeout === 0 || isInRange ? timeout : undefined;
}
