// One shell that runs blocks one after another, like a reader pastes them into a terminal.
// Variables carry over to the next block. A block fails as soon as one of its commands fails.

import { type ChildProcess, spawn } from 'node:child_process';

const MARK = '--- end of block';

export class ShellSession {
  readonly #shell: ChildProcess;
  #output = '';
  #errors = '';

  constructor(folder: string) {
    const stdio = ['pipe', 'pipe', 'pipe'] as const;
    this.#shell = spawn('bash', ['--norc', '-eo', 'pipefail'], { cwd: folder, stdio: [...stdio] });
    this.#shell.stdout?.on('data', (chunk) => {
      this.#output += chunk;
    });
    this.#shell.stderr?.on('data', (chunk) => {
      this.#errors += chunk;
    });
  }

  /** Resolves to standard output. */
  run(block: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const failed = () => reject(new Error(`the shell exited\n${this.#output}\n${this.#errors}`));
      const look = () => {
        const at = this.#output.indexOf(MARK);
        if (at < 0) return;
        const output = this.#output.slice(0, at);
        this.#output = this.#output.slice(at + MARK.length + 1);
        this.#errors = '';
        this.#shell.stdout?.off('data', look);
        this.#shell.off('close', failed);
        resolve(output.trim());
      };
      this.#shell.once('close', failed);
      this.#shell.stdout?.on('data', look);
      this.#shell.stdin?.write(`${block}\necho; echo '${MARK}'\n`);
    });
  }

  stop(): void {
    this.#shell.kill();
  }
}
