// Keeps dead man's switches armed in the engine while sockets hold them, so a switch fires even if
// this process exits. When a key's last holder disconnects, the switch runs out. Sends one command
// at a time for each key. Runs in a separate thread and must never use sockets.

import type { KeyId, UserId } from '../../../core/money/index.ts';
import type { Bus, Subscription } from '../../../infra/bus/index.ts';
import type { CommandClient, Outcome } from '../../../infra/command-link/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import { streamTexts } from '../../../protocol/index.ts';
import type { StreamError, StreamNotice } from '../topic.ts';

export interface SwitchKeeperOptions {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly exchange: string;
  readonly commands: Pick<CommandClient, 'nextId' | 'send'>;
  readonly commandTimeoutMs: number;
  readonly watcher: SwitchWatcher;
}

export interface SwitchWatcher {
  /** Called when the engine did not accept the command, which is sent again. */
  rejected(outcome: string): void;
  released(): void;
}

/** Per key. A user's sessions share one owner, because their orders have no key. */
export interface SwitchOwner {
  readonly user: UserId;
  readonly key: KeyId;
}

/** A socket that holds a switch. */
export interface SwitchHolder extends SwitchOwner {
  /** Unique within the gateway. */
  readonly socket: number;
}

/** The engine's minimum timeout. */
const RELEASE_MS = 1_000;
// Two of three renewals can be late.
const RENEWALS_PER_TIMEOUT = 3;
const RETRY_AFTER_MS = 500;
const RETRIES_MAX = 20;
// A gateway whose event loop has not run for this long counts as dead, and its switches run out.
const STALL_MS_MAX = 60_000;

export type SwitchAnswer = StreamError | StreamNotice;

interface Switch extends SwitchOwner {
  /** Timeouts requested by sockets, by socket. */
  readonly holders: Map<number, number>;
  /** Command to send when no socket is left. */
  ending: 'let_go' | 'off';
  /** Callers awaiting the engine's response to the next command. */
  waiting: { readonly notice: StreamNotice; readonly answer: (answer: SwitchAnswer) => void }[];
  isSending: boolean;
  /** True if the state has changed since the last command. */
  isStale: boolean;
  retries: number;
  timer: Timer | undefined;
}

export class SwitchKeeper {
  readonly #options: SwitchKeeperOptions;
  readonly #switches = new Map<string, Switch>();
  readonly #subject: string;
  readonly #subscription: Subscription;
  #isStopped = false;
  /** When the gateway's event loop last ran. */
  #gatewayRanMs: number;

  constructor(options: SwitchKeeperOptions) {
    this.#options = options;
    this.#gatewayRanMs = options.clock.elapsedMs();
    this.#subject = `${options.exchange}.switches.let-go`;
    this.#subscription = options.bus.subscribe(this.#subject, (message) => this.#onEvents(message));
  }

  /** Arms the switch for this holder. With a timeout of 0, releases it without canceling orders. */
  set(holder: SwitchHolder, timeoutMs: number): SwitchAnswer | Promise<SwitchAnswer> {
    if (this.#isStopped) return { error: streamTexts.unavailable };
    if (timeoutMs === 0) return this.#disarm(holder);
    const found = this.#switchOf(holder);
    found.holders.set(holder.socket, timeoutMs);
    const message = `Cancel on disconnect after ${timeoutMs / 1_000} seconds`;
    return this.#updateAndAnswer(found, { message });
  }

  /** Called when the holder's socket has closed. */
  release(holder: SwitchHolder): void {
    const found = this.#switches.get(nameOf(holder));
    if (this.#isStopped || found?.holders.delete(holder.socket) !== true) return;
    found.ending = 'let_go';
    if (found.holders.size > 0) return;
    this.#options.watcher.released();
    this.#update(found);
  }

  /**
   * Called when the gateway's event loop has run. While it is stalled, closed sockets go unnoticed,
   * so switches are renewed for a limited time: a gateway stall is not a client disconnect.
   */
  gatewayRan(): void {
    const wasDead = this.#isGatewayDead;
    this.#gatewayRanMs = this.#options.clock.elapsedMs();
    if (!wasDead || this.#isStopped) return;
    for (const found of this.#switches.values()) if (found.holders.size > 0) this.#update(found);
  }

  get switchCount(): number {
    return this.#switches.size;
  }

  /**
   * Switches keep their last timeout, so a client that reconnects elsewhere in time loses no order.
   */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#subscription.stop();
    for (const { timer } of this.#switches.values()) timer?.cancel();
    this.#switches.clear();
  }

  get #isGatewayDead(): boolean {
    return this.#options.clock.elapsedMs() - this.#gatewayRanMs > STALL_MS_MAX;
  }

  #disarm(holder: SwitchHolder): SwitchAnswer | Promise<SwitchAnswer> {
    const found = this.#switches.get(nameOf(holder));
    if (found?.holders.delete(holder.socket) !== true) return OFF;
    found.ending = 'off';
    return this.#updateAndAnswer(found, OFF);
  }

  /** Another gateway released or disabled the switch. Renews it if a socket here still needs it. */
  #onEvents(message: Uint8Array): void {
    const found = this.#switches.get(Buffer.from(message).toString());
    if (found !== undefined && found.holders.size > 0) this.#update(found);
  }

  #switchOf({ key, user }: SwitchOwner): Switch {
    const name = nameOf({ key, user });
    let found = this.#switches.get(name);
    if (found === undefined) {
      found = {
        user,
        key,
        holders: new Map(),
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

  #updateAndAnswer(found: Switch, notice: StreamNotice): Promise<SwitchAnswer> {
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

  #renew(found: Switch): void {
    if (!this.#isGatewayDead) this.#update(found);
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
    // The callers have received an error and are not protected.
    if (isRefused) found.holders.clear();
    found.retries = isTaken ? 0 : found.retries + 1;
    if (found.isStale) {
      this.#send(found);
    } else if (found.holders.size > 0) {
      const pauseMs = isTaken ? timeoutToSend(found) / RENEWALS_PER_TIMEOUT : RETRY_AFTER_MS;
      found.timer = clock.after(pauseMs, () => this.#renew(found));
    } else if (isTaken || isRefused || found.retries > RETRIES_MAX) {
      // After this many retries the switch has already run out.
      this.#switches.delete(nameOf(found));
      this.#options.bus.publish(this.#subject, Buffer.from(nameOf(found)));
    } else {
      found.timer = clock.after(RETRY_AFTER_MS, () => this.#update(found));
    }
  }
}

const OFF: StreamNotice = { message: 'Cancel on disconnect is off' };

/** Returns the shortest requested timeout, or the final one when no socket is left. */
function timeoutToSend({ ending, holders }: Switch): number {
  if (holders.size === 0) return ending === 'off' ? 0 : RELEASE_MS;
  return Math.min(...holders.values());
}

function errorOf(outcome: Outcome): StreamError | undefined {
  const word = wordFor(outcome);
  return word === 'none' ? undefined : { error: `Cancel on disconnect could not be set: ${word}` };
}

function wordFor(outcome: Outcome): string {
  if (outcome.kind === 'answered') return outcome.result.refusal;
  return outcome.kind === 'not_taken' ? outcome.reason : 'outcome unknown';
}

function nameOf({ key, user }: SwitchOwner): string {
  return `${user}.${key}`;
}
