// Runs a program until it exits and captures its output, for error messages.

import { spawn } from 'node:child_process';

export type ProgramResult = { succeeded: boolean; output: string };

export type ProgramOptions = {
  folder?: string;
  timeoutMs?: number;
  environment?: NodeJS.ProcessEnv;
  user?: { uid: number; gid: number } | undefined;
};

const outputCharsMax = 200_000;

/** Never throws: if the program cannot be started, the result is a failure with the reason. */
export function runProgram(
  program: string,
  args: readonly string[],
  { folder, timeoutMs = 300_000, environment, user }: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: { ...process.env, ...environment },
      ...(folder === undefined ? {} : { cwd: folder }),
      ...user,
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk).slice(-outputCharsMax);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (fault) => {
      resolve({ succeeded: false, output: `${output}${program}: ${fault.message}` });
    });
    child.once('close', (code, signal) => {
      const ending = signal === null ? '' : `\n${program} was ended by ${signal}`;
      resolve({ succeeded: code === 0, output: output + ending });
    });
  });
}
