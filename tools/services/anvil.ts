// Starts a local EVM chain on loopback: anvil, from its npm package. For development, tests and
// drills; it has no consensus, so it must never hold value.

import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { freePorts } from './free-ports.ts';
import { ServerProcess } from './server-process.ts';

export interface Anvil {
  readonly url: string;
  readonly port: number;
  readonly logFile: string;
  /** Undefined if the process is not running. */
  readonly pid: number | undefined;
  /** Starts an empty chain on the same port. */
  start(): Promise<void>;
  /** Resolves when the process has exited, or for SIGSTOP when it is stopped. */
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

export type AnvilOptions = {
  /** Contains the log; created if missing. */
  folder: string;
  name?: string;
  /** Seconds between blocks. Without it, blocks are mined only on request (`anvil_mine`). */
  blockSeconds?: number;
  /** The final block is this many epochs of blocks behind the newest: two, in anvil. */
  slotsInEpoch?: number;
  /** Keeps the chain across restarts; written every few seconds and when the process stops. */
  stateFile?: string;
  /** False leaves the process running when this process exits. */
  untilParentDies?: boolean;
  onLaunch?: (server: { name: string; pid: number }) => void;
};

const SLOTS_IN_EPOCH = 4;
const STATE_EVERY_SECONDS = 5;
const PORT_ATTEMPTS_MAX = 5;
const ANSWER_MS_MAX = 2_000;

export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  for (let attempt = 1; ; attempt += 1) {
    const [port] = await freePorts(1);
    const anvil = prepareAnvil(options, port);
    try {
      await anvil.start();
      return anvil;
    } catch (fault) {
      await anvil.stop();
      // Another process might have bound the port in the meantime.
      const isPortTaken = fault instanceof Error && /address already in use/i.test(fault.message);
      if (!isPortTaken || attempt === PORT_ATTEMPTS_MAX) throw fault;
    }
  }
}

function prepareAnvil(options: AnvilOptions, port: number): Anvil {
  const { blockSeconds, name = 'anvil', onLaunch, slotsInEpoch = SLOTS_IN_EPOCH } = options;
  const folder = join(resolve(options.folder), name);
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, 'anvil.log');
  const { stateFile } = options;
  const state =
    stateFile === undefined
      ? []
      : [`--state=${resolve(stateFile)}`, `--state-interval=${STATE_EVERY_SECONDS}`];
  const mining = blockSeconds === undefined ? ['--no-mining'] : [`--block-time=${blockSeconds}`];
  const server = new ServerProcess({
    name,
    program: anvilProgram(),
    args: [
      '--host=127.0.0.1',
      `--port=${port}`,
      '--silent',
      '--order=fifo',
      `--slots-in-an-epoch=${slotsInEpoch}`,
      ...mining,
      ...state,
    ],
    folder,
    logFile,
    untilParentDies: options.untilParentDies ?? true,
    // It keeps the states of old blocks in its home folder.
    environment: { ...process.env, HOME: folder },
    onLaunch,
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    logFile,
    get pid() {
      return server.pid;
    },
    async start() {
      server.launch();
      await server.waitUntil('answers', () => answersChainId(url));
    },
    kill: (signal) => server.kill(signal),
    stop: () => server.stop('SIGTERM'),
  };
}

/** Returns the path of the program. Its package is only for Linux on x64. */
export function anvilProgram(): string {
  const name = '@foundry-rs/anvil-linux-amd64';
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin/anvil');
  } catch (cause) {
    throw new Error(`Expected the package ${name}, for Linux on x64; run npm ci.`, { cause });
  }
}

async function answersChainId(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    return response.ok;
  } catch {
    return false;
  }
}
