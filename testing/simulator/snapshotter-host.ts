// Machine that runs the snapshotter and restarts it after a crash.

import type { Timer } from '../../infra/process/index.ts';
import type { Replica } from '../../infra/replica/index.ts';
import type { Machine } from './machine.ts';
import { PRESENT, type Release } from './releases.ts';
import { Snapshotter, type SnapshotterOptions } from './snapshotter.ts';
import type { VirtualTime } from './virtual-time.ts';

type Work = Pick<
  SnapshotterOptions,
  'everyFrames' | 'keep' | 'retryMs' | 'watchMs' | 'onVerified' | 'onFault'
>;

export interface SnapshotterHostOptions extends Work {
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly restartMs: () => number;
  readonly trace: (line: () => string) => void;
}

export class SnapshotterHost {
  readonly machine: Machine;
  /** Release of the next process to start. */
  release: Release = PRESENT;
  readonly #options: SnapshotterHostOptions;
  #snapshotter: Snapshotter | undefined;
  #restart: Timer | undefined;

  constructor(options: SnapshotterHostOptions) {
    this.#options = options;
    this.machine = options.machine;
  }

  get replica(): Replica | undefined {
    return this.#snapshotter?.replica;
  }

  start(): void {
    const { onVerified, trace } = this.#options;
    this.#restart?.cancel();
    this.#snapshotter = new Snapshotter({
      ...this.#options,
      ...this.machine.boot(),
      release: this.release,
      onVerified: (sequence) => {
        trace(() => `snapshot ${sequence} is verified`);
        onVerified(sequence);
      },
    });
  }

  crash(): void {
    const { restartMs, time, trace } = this.#options;
    trace(() => 'the snapshotter crashes');
    this.machine.kill();
    this.#snapshotter = undefined;
    this.#restart?.cancel();
    this.#restart = time.after(restartMs(), () => this.start());
  }
}
