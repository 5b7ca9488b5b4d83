// Publisher processes on real servers, and a flow that is written to EVENTS for them.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventFrame } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import type { Nats } from '../../infra/bus/index.ts';
import { EventWriter, JetStreamLog, journalNames, NO_EVENTS } from '../../infra/journal/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { encodeEvents } from '../../infra/replica/index.ts';
import { createLogOnce } from '../../tools/create-log/create-log.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { drive, type FlowName } from '../flows/index.ts';
import { makeEngine, type TestedEngine } from '../properties/tested-exchange.ts';

export const DEPTH_LEVELS = 50;
// A loaded machine is slow. These tests do not measure speed.
export const PATIENCE_MS = 60_000;

const MAIN = join(import.meta.dirname, '../../services/publisher/main.ts');

/** A publisher process with its output. */
export class PublisherProcess {
  readonly #child: ChildProcess;
  output = '';

  constructor(context: TestContext, urls: readonly string[], instance = 'publisher') {
    this.#child = spawn(process.execPath, [MAIN], {
      env: {
        RIALTO_MODE: 'development',
        RIALTO_INSTANCE: instance,
        RIALTO_NATS_URLS: urls.join(),
        RIALTO_REPLICAS: '1',
        RIALTO_DEPTH_LEVELS: String(DEPTH_LEVELS),
        RIALTO_DEPTH_EVERY_MS: '100',
        RIALTO_CURSOR_EVERY_MS: '100',
        RIALTO_CHECKPOINT_EVERY_MS: '300',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (bytes) => {
        this.output += String(bytes);
      });
    }
    context.after(() => this.#child.kill('SIGKILL'));
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    assert.equal(this.#child.exitCode, null, `it exited unexpectedly: ${this.output}`);
    const exit = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code] = await exit;
    return code;
  }

  async waitFor(words: string): Promise<void> {
    const question = () => this.output.includes(words);
    const what = `a publisher says '${words}'`;
    await waitUntil({ what, timeoutMs: PATIENCE_MS, question }).catch((fault) => {
      throw new Error(`${fault.message}\n${this.output}`);
    });
  }
}

/** An empty EVENTS log with a writer. */
export async function openEvents(nats: Nats): Promise<EventWriter> {
  await createLogOnce(nats);
  return new EventWriter({
    gapMs: 0,
    log: new JetStreamLog({ nats, ...journalNames('rialto').events }),
    clock: systemClock,
    retryMs: 50,
    end: NO_EVENTS,
    onStored: () => {},
    onFault: (reason) => assert.fail(reason),
  });
}

/** Writes a flow to EVENTS at the given speed, until it is stopped. */
export async function feedFlow(
  writer: EventWriter,
  options: {
    readonly flow: FlowName;
    readonly seed: number;
    readonly pauseMs: number;
    readonly isEnough: () => boolean;
    /** Called before the frame is in the log. */
    readonly see?: (frame: EventFrame, exchange: TestedEngine) => void;
  },
) {
  const exchange = makeEngine();
  const frames: EventFrame[] = [];
  const { flow, isEnough, pauseMs, see, seed } = options;
  const apply = (frame: Parameters<typeof exchange.apply>[0]) =>
    exchange.apply({ ...frame, timeMs: Date.now() as TimeMs });
  for (const { seen } of drive({ flow, seed, commands: Number.POSITIVE_INFINITY, apply })) {
    frames.push(seen);
    see?.(seen, exchange);
    writer.push(encodeEvents(seen).parts);
    if (frames.length % 3 === 0) await delay(pauseMs);
    if (isEnough()) break;
  }
  await waitUntil({ what: 'written', timeoutMs: PATIENCE_MS, question: () => writer.isIdle });
  return { exchange, frames };
}
