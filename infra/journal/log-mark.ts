// A file in which a process without tables records how far it has followed the log. When it starts
// again, it refuses a log that ends earlier. The file is only a memory: without it nothing is lost.

import { open, readFile, rename } from 'node:fs/promises';
import { type Clock, type Logger, systemClock, type Timer } from '../process/index.ts';
import type { FoundLog, KnownLog } from './exchange-id.ts';

export interface LogMarkOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly found: FoundLog;
  /** The last frame that the log is known to have. */
  frame(): number;
  onProblem(problem: unknown): void;
}

const EVERY_MS = 1_000;

interface MarkConfig {
  readonly logMarkFile: string | undefined;
}

/** Reads undefined if the process has never followed a log here. */
export function logMarkOf({ logMarkFile: file }: MarkConfig): () => Promise<KnownLog | undefined> {
  return async () => (file === undefined ? undefined : readMark(file));
}

async function readMark(file: string): Promise<KnownLog | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
  const found = /^exchange ([0-9a-f]+)\ncomplete since (\d+)\nframe (\d+)\n$/.exec(text);
  if (found === null) throw new RangeError(`${file} is not a mark of the log. Move it away.`);
  const [, exchangeId, completeSinceMs, frame] = found;
  return {
    by: file,
    exchangeId,
    completeSinceMs: Number(completeSinceMs),
    frame: Number(frame),
  };
}

/** Undefined without a file. */
export function openLogMark(options: {
  readonly config: MarkConfig;
  readonly journal: { readonly found: FoundLog };
  readonly log: Logger;
  frame(): number;
}): LogMark | undefined {
  const { config, frame, journal, log } = options;
  const { logMarkFile: file } = config;
  if (file === undefined) return undefined;
  const onProblem = (err: unknown) => log.error({ err }, 'mark of the log not written');
  return new LogMark({ file, clock: systemClock, found: journal.found, frame, onProblem });
}

/** Writes the mark every second while the frame moves. */
export class LogMark {
  readonly #options: LogMarkOptions;
  #timer: Timer | undefined;
  #written = 0;
  #isStopped = false;

  constructor(options: LogMarkOptions) {
    this.#options = options;
    void this.#write();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  async #write(): Promise<void> {
    const { clock, file, found, onProblem } = this.#options;
    const frame = Math.max(this.#options.frame(), found.lastFrame);
    if (frame > this.#written) {
      const { completeSinceMs, exchangeId } = found;
      const text = `exchange ${exchangeId}\ncomplete since ${completeSinceMs}\nframe ${frame}\n`;
      try {
        await replace(file, text);
        this.#written = frame;
      } catch (problem) {
        onProblem(problem);
      }
    }
    if (!this.#isStopped) this.#timer = clock.after(EVERY_MS, () => void this.#write());
  }
}

/** A reader finds the old text or the new one, even after a power cut. */
async function replace(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}
