// Stops a process. On a signal, it stops in order, in limited time. On a bug it exits immediately,
// because its state cannot be trusted any more; a restart replays the log.
//
// running ──signal──▶ stopping ──stopped──▶ exit 0; a second signal, the limit, a fault: exit 1

import type { EventEmitter } from 'node:events';
import { type Clock, systemClock } from './clock.ts';
import type { Logger } from './logger.ts';

type StopOptions = {
  readonly log: Logger;
  /** Finishes current work and releases everything. Called once, with the name of the signal. */
  readonly stop: (reason: string) => Promise<void>;
  readonly limitMs: number;
  readonly clock?: Clock;
  /** The source of signals and uncaught errors: the process, except in tests. */
  readonly signals?: Pick<EventEmitter, 'on'>;
  readonly exit?: (code: number) => void;
};

const EXIT_STOPPED = 0;
const EXIT_NOT_IN_ORDER = 1;
// EX_SOFTWARE of sysexits.h: an error in the program itself.
const EXIT_BUG = 70;

/** Call it once, at start-up. */
export function stopOnSignals(options: StopOptions): void {
  const { log, stop, limitMs, clock = systemClock } = options;
  const { signals = process, exit = (code) => process.exit(code) } = options;
  let isStopping = false;

  for (const signal of ['SIGTERM', 'SIGINT']) signals.on(signal, () => onSignal(signal));
  for (const kind of ['uncaughtException', 'unhandledRejection']) {
    signals.on(kind, (error: unknown) => end(EXIT_BUG, kind, error));
  }

  function onSignal(signal: string): void {
    if (isStopping) {
      end(EXIT_NOT_IN_ORDER, `${signal} while stopping`);
      return;
    }
    isStopping = true;
    log.info({ signal, limitMs }, 'stopping');
    clock.after(limitMs, () => end(EXIT_NOT_IN_ORDER, 'stopping took too long'));
    void stopInOrder(signal);
  }

  async function stopInOrder(signal: string): Promise<void> {
    try {
      await stop(signal);
      log.info('stopped');
      exit(EXIT_STOPPED);
    } catch (error) {
      end(EXIT_NOT_IN_ORDER, 'stopping failed', error);
    }
  }

  // The process exits even if writing the log fails.
  function end(code: number, why: string, error?: unknown): void {
    try {
      log.fatal({ err: error }, why);
    } finally {
      exit(code);
    }
  }
}
