// The drill's end of the process of its clients.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { logTail } from '../../../tools/services/server-process.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import type { ClientPlan, Counts, WordFromClients, WordToClients } from './clients/client-words.ts';
import type { FrameWanted } from './clients/frames-heard.ts';

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
    this.#child.on('message', (word: WordFromClients) => this.#hear(word));
  }

  get counts(): Counts {
    return this.#counts;
  }

  waitUntilTrading(): Promise<void> {
    return this.#wait('the clients trade', 60_000, () => this.#isTrading);
  }

  beginRound(round: number): void {
    this.#say({ kind: 'round', round });
  }

  /** Slow while the drill waits, so that the log does not grow for nothing. */
  setPace(pace: 'full' | 'slow'): void {
    this.#say({ kind: 'pace', isSlow: pace === 'slow' });
  }

  /** How long after `wanted.sinceMs` such a frame was first acknowledged to a client. */
  async awaitFrame(wanted: FrameWanted, timeoutMs: number): Promise<number> {
    const id = ++this.#ids;
    this.#say({ kind: 'await-frame', id, wanted });
    const atMs = await this.#answer('commands are acknowledged again', id, timeoutMs);
    return atMs - wanted.sinceMs;
  }

  async longestGapMs(sinceMs: number): Promise<number> {
    const id = ++this.#ids;
    this.#say({ kind: 'ask-gap', id, sinceMs });
    return this.#answer('the clients answer', id, 30_000);
  }

  /** The records are in their files when this resolves. */
  async finish(): Promise<void> {
    this.#say({ kind: 'finish' });
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

  #wait(what: string, timeoutMs: number, isSo: () => boolean): Promise<void> {
    const question = () => {
      if (this.#hasEnded) throw new Error(`the clients ended:\n${logTail(this.#logFile)}`);
      return isSo();
    };
    return waitUntil({ what, timeoutMs, question });
  }

  #hear(word: WordFromClients): void {
    switch (word.kind) {
      case 'trading':
        this.#isTrading = true;
        break;
      case 'heard':
        this.#answers.set(word.id, word.atMs);
        break;
      case 'gap':
        this.#answers.set(word.id, word.gapMs);
        break;
      case 'counts':
        this.#counts = word.counts;
        break;
      case 'finished':
        this.#isFinished = true;
        break;
    }
  }

  #say(word: WordToClients): void {
    if (!this.#hasEnded) this.#child.send(word);
  }
}
