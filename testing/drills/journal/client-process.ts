// Controls the drill's client process.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { logTail } from '../../../tools/services/server-process.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import type {
  ClientPlan,
  Counts,
  MessageFromClients,
  MessageToClients,
} from './clients/client-messages.ts';
import type { FrameWanted } from './clients/frame-arrivals.ts';

const PROGRAM = fileURLToPath(new URL('clients/main.ts', import.meta.url));

export class ClientProcess {
  readonly plan: ClientPlan;
  readonly #child: ChildProcess;
  readonly #logFile: string;
  readonly #answers = new Map<number, number>();
  #ids = 0;
  #counts: Counts = { answered: 0, notTaken: 0, unknown: 0, pending: 0 };
  #isTrading = false;
  #isFinished = false;

  constructor(plan: ClientPlan, logFile: string) {
    this.plan = plan;
    this.#logFile = logFile;
    const log = openSync(logFile, 'a');
    this.#child = spawn(process.execPath, [PROGRAM, JSON.stringify(plan)], {
      stdio: ['ignore', log, log, 'ipc'],
      env: { PATH: process.env.PATH },
    });
    closeSync(log);
    this.#child.on('message', (message: MessageFromClients) => this.#onMessage(message));
  }

  get counts(): Counts {
    return this.#counts;
  }

  waitUntilTrading(): Promise<void> {
    return this.#wait('the clients trade', 60_000, () => this.#isTrading);
  }

  beginRound(round: number): void {
    this.#send({ kind: 'round', round });
  }

  /** Slow during pauses of the drill, so the log does not grow needlessly. */
  setPace(pace: 'full' | 'slow'): void {
    this.#send({ kind: 'pace', isSlow: pace === 'slow' });
  }

  /** Returns how long after `wanted.sinceMs` such a frame was first acknowledged to a client. */
  async awaitFrame(wanted: FrameWanted, timeoutMs: number): Promise<number> {
    const id = ++this.#ids;
    this.#send({ kind: 'await-frame', id, wanted });
    const atMs = await this.#answer('commands are acknowledged again', id, timeoutMs);
    return atMs - wanted.sinceMs;
  }

  async longestGapMs(sinceMs: number): Promise<number> {
    const id = ++this.#ids;
    this.#send({ kind: 'ask-gap', id, sinceMs });
    return this.#answer('the clients respond', id, 30_000);
  }

  /** The records are on disk when this resolves. */
  async finish(): Promise<void> {
    this.#send({ kind: 'finish' });
    await this.#wait('the clients have finished', 120_000, () => this.#isFinished);
    await this.stop();
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #answer(what: string, id: number, timeoutMs: number): Promise<number> {
    await this.#wait(what, timeoutMs, () => this.#answers.has(id));
    const answer = this.#answers.get(id)!;
    this.#answers.delete(id);
    return answer;
  }

  #wait(what: string, timeoutMs: number, isMet: () => boolean): Promise<void> {
    const question = () => {
      if (this.#hasEnded) throw new Error(`The client process exited:\n${logTail(this.#logFile)}`);
      return isMet();
    };
    return waitUntil({ what, timeoutMs, question });
  }

  #onMessage(message: MessageFromClients): void {
    switch (message.kind) {
      case 'trading':
        this.#isTrading = true;
        break;
      case 'frame':
        this.#answers.set(message.id, message.atMs);
        break;
      case 'gap':
        this.#answers.set(message.id, message.gapMs);
        break;
      case 'counts':
        this.#counts = message.counts;
        break;
      case 'finished':
        this.#isFinished = true;
        break;
    }
  }

  #send(message: MessageToClients): void {
    if (!this.#hasEnded) this.#child.send(message);
  }
}
