// Sends commands to a sequencer through the client library, with a fixed number open or at a steady
// rate. The engine must respond to each.

import type { Command } from '../../core/messages/index.ts';
import { type Nats, NatsBus } from '../../infra/bus/index.ts';
import { type CommandClient, openCommandClient } from '../../infra/command-link/index.ts';
import { claimedIdentity, SANDBOX_IDENTITY } from '../../infra/identities/index.ts';
import { systemClock } from '../../infra/process/index.ts';

const TIMEOUT_MS = 120_000;
const TICK_MS = 2;
/** Number of responses after which new commands are sent together, like bursts at a gateway. */
const REFILL = 256;
/** Only some of many open commands are timed. */
const SAMPLE_ONE_IN = 16;

export class CommandLoad {
  readonly #client: CommandClient;
  answered = 0;

  private constructor(nats: Nats, exchange: string) {
    this.#client = openCommandClient({
      bus: new NatsBus(nats),
      clock: systemClock,
      exchange,
      identity: claimedIdentity(SANDBOX_IDENTITY),
      // A retry would take a number in the log and shift every later order number.
      retryMs: TIMEOUT_MS,
      retryMsMax: TIMEOUT_MS,
    });
  }

  /** Resolves when a sequencer leads. */
  static async open(nats: Nats, exchange: string): Promise<CommandLoad> {
    const load = new CommandLoad(nats, exchange);
    while (load.#client.epoch === 0) await pause(10);
    return load;
  }

  close(): void {
    this.#client.close();
  }

  /** Keeps this many open. Resolves with the latencies of some of them, in milliseconds. */
  keepOpen(commands: readonly Command[], openMax: number): Promise<number[]> {
    return new Promise((done, fail) => {
      const latencies: number[] = [];
      const sampleOneIn = openMax === 1 ? 1 : SAMPLE_ONE_IN;
      let sent = 0;
      let answered = 0;
      const sendMore = (): void => {
        while (sent - answered < openMax && sent < commands.length) sendOne(sent++);
      };
      const sendOne = (index: number): void => {
        const isSample = index % sampleOneIn === 0;
        const sentMs = isSample ? performance.now() : 0;
        this.#send(commands[index], fail, () => {
          answered++;
          if (isSample) latencies.push(performance.now() - sentMs);
          if (answered === commands.length) done(latencies);
          else if (sent - answered <= Math.max(openMax - REFILL, 0)) sendMore();
        });
      };
      sendMore();
    });
  }

  /** Sends all at a steady rate, or until stopped. Resolves with the latencies of all. */
  async atRate(
    commands: readonly Command[],
    perSecond: number,
    isStopped: () => boolean = () => false,
  ): Promise<number[]> {
    const latencies: number[] = [];
    const beganMs = performance.now();
    let sent = 0;
    let fault: Error | undefined;
    while (latencies.length < sent || (sent < commands.length && !isStopped())) {
      const due = Math.floor(((performance.now() - beganMs) * perSecond) / 1_000);
      for (; sent < Math.min(due, commands.length) && !isStopped(); sent++) {
        const sentMs = performance.now();
        this.#send(
          commands[sent],
          (reason) => {
            fault = reason;
          },
          () => void latencies.push(performance.now() - sentMs),
        );
      }
      if (fault !== undefined) throw fault;
      await pause(TICK_MS);
    }
    return latencies;
  }

  #send(command: Command, fail: (reason: Error) => void, done: () => void): void {
    // Numbered here, not in advance: a client that pauses for seconds loses its link.
    const numbered = { ...command, ...this.#client.nextId() };
    this.#client.send(numbered, TIMEOUT_MS, (outcome) => {
      if (outcome.kind !== 'answered') fail(new Error(JSON.stringify(outcome)));
      this.answered++;
      done();
    });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => systemClock.after(ms, done));
}
