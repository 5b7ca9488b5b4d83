// The main thread's link to the thread for dead man's switches, which starts with the first switch.
// Reports every second that the main event loop runs. If the thread fails, the process fails,
// because nothing else renews the switches.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import type { SwitchPort } from './cancel-on-disconnect.ts';
import type { SwitchAnswer, SwitchHolder, SwitchWatcher } from './switch-keeper.ts';
import {
  type FromSwitchThread,
  RAN_EVERY_MS,
  type SwitchThreadConfig,
  type ToSwitchThread,
} from './switch-messages.ts';

export interface SwitchThreadLinkOptions {
  readonly clock: Clock;
  readonly config: SwitchThreadConfig;
  readonly watcher: SwitchWatcher;
}

const STOP_WITHIN_MS = 2_000;

export class SwitchThreadLink implements SwitchPort {
  readonly #options: SwitchThreadLinkOptions;
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, (answer: SwitchAnswer) => void>();
  #requests = 0;
  #timer: Timer | undefined;
  #isStopping = false;

  constructor(options: SwitchThreadLinkOptions) {
    this.#options = options;
  }

  set(holder: SwitchHolder, timeoutMs: number): Promise<SwitchAnswer> {
    if (this.#worker === undefined) this.#start();
    const request = ++this.#requests;
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve);
      this.#send({ kind: 'set', request, holder, timeoutMs });
    });
  }

  release(holder: SwitchHolder): void {
    this.#send({ kind: 'release', holder });
  }

  /** Switches keep their last timeout, so a client that reconnects in time loses no order. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#timer?.cancel();
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = once(worker, 'exit');
    this.#send({ kind: 'stop' });
    const cutOff = this.#options.clock.after(STOP_WITHIN_MS, () => void worker.terminate());
    await ended;
    cutOff.cancel();
  }

  #start(): void {
    const worker = new Worker(new URL('./switch-thread/main.ts', import.meta.url), {
      workerData: this.#options.config,
    });
    this.#worker = worker;
    worker.on('message', (message: FromSwitchThread) => this.#onMessage(message));
    worker.on('exit', (code) => {
      if (!this.#isStopping) throw new Error(`the switch thread exited with code ${code}`);
    });
    this.#sayRan();
  }

  #sayRan(): void {
    this.#send({ kind: 'ran' });
    this.#timer = this.#options.clock.after(RAN_EVERY_MS, () => this.#sayRan());
  }

  #onMessage(message: FromSwitchThread): void {
    const { watcher } = this.#options;
    switch (message.kind) {
      case 'answer':
        this.#waiting.get(message.request)?.(message.answer);
        this.#waiting.delete(message.request);
        return;
      case 'rejected':
        watcher.rejected(message.outcome);
        return;
      case 'released':
        watcher.released();
    }
  }

  #send(message: ToSwitchThread): void {
    this.#worker?.postMessage(message);
  }
}
