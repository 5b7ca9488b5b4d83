// The main thread's link to the heartbeat thread. If the thread fails, the process fails, because
// nothing else sends this leader's heartbeats.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LeaderHeartbeat } from '../../infra/command-link/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import type { SequencerConfig } from './config.ts';
import type { HeartbeatSender } from './heartbeat-repeater.ts';
import type { ToHeartbeatThread } from './heartbeat-thread/main.ts';

const CLOSE_WITHIN_MS = 2_000;

export class HeartbeatThreadLink implements HeartbeatSender {
  readonly #clock: Clock;
  readonly #worker: Worker;
  #isClosing = false;

  constructor(config: SequencerConfig, clock: Clock) {
    this.#clock = clock;
    this.#worker = new Worker(new URL('./heartbeat-thread/main.ts', import.meta.url), {
      workerData: config,
    });
    this.#worker.on('exit', (code) => {
      if (!this.#isClosing) throw new Error(`the heartbeat thread exited with code ${code}`);
    });
  }

  send(heartbeat: LeaderHeartbeat): void {
    this.#post(heartbeat);
  }

  stop(): void {
    this.#post('stop');
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const ended = once(this.#worker, 'exit');
    this.#post('close');
    const cutOff = this.#clock.after(CLOSE_WITHIN_MS, () => void this.#worker.terminate());
    await ended;
    cutOff.cancel();
  }

  #post(message: ToHeartbeatThread): void {
    this.#worker.postMessage(message);
  }
}
