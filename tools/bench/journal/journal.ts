// Measures the entire path, from the client library over the log and the engine to the result,
// against the bare log with the same frames and the bare core with the same commands. All in one
// run, alternating, because the machine is noisy. Servers and processes are real.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogAt } from '../../create-log/create-log.ts';
import { medians } from '../../percentile.ts';
import { startNats } from '../../services/nats.ts';
import { cpuSeconds, type Figures, runProgram, startSequencer, stopProcess } from '../processes.ts';

interface Sizes {
  readonly rounds: number;
  readonly commands: number;
  readonly single: number;
}

const FULL: Sizes = { rounds: 5, commands: 800_000, single: 3_000 };
const QUICK: Sizes = { rounds: 1, commands: 120_000, single: 500 };
/** Commands awaiting a response at saturation. */
const OPEN = 8_192;
/** Listing and funding, before the flow. */
const PREPARING_COMMANDS = 10_034;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const sizes = quick ? QUICK : FULL;
  const r1: Figures[] = [];
  const r3: Figures[] = [];
  for (let round = 1; round <= sizes.rounds; round++) {
    r1.push(await measure(1, sizes));
    report(round, 'R1', r1.at(-1));
    r3.push(await measure(3, sizes));
    report(round, 'R3', r3.at(-1));
  }
  const one = medians(r1);
  const three = medians(r3);
  return {
    ratioToBare: one.ratioToBare,
    ratioToBareR3: three.ratioToBare,
    oneInFlightRatio: one.oneInFlightRatio,
    oneInFlightRatioR3: three.oneInFlightRatio,
    r1: one,
    r3: three,
    rounds: sizes.rounds,
  };
}

function report(round: number, name: string, figures: Figures | undefined): void {
  console.log(`round ${round} ${name}: ${JSON.stringify(figures)}`);
}

/** Measures one server, or three, from nothing: the sequencer first, then the same frames bare. */
async function measure(nodes: 1 | 3, { commands, single }: Sizes): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
  const servers = await startNats({ folder, nodes });
  const urls = servers.urls.join(',');
  await createLogAt(servers.urls, { replicas: nodes });
  const sequencer = startSequencer({ natsUrls: servers.urls, replicas: nodes });
  try {
    const serverPids = servers.nodes.map(({ pid }) => pid ?? 0);
    const serverCpuBefore = sum(serverPids.map(cpuSeconds));
    const sizes = { commands, single, open: OPEN };
    const whole = await runOwn('client', { urls, ...sizes });
    const sequencerCpu = cpuSeconds(sequencer.pid ?? 0);
    const serverCpu = sum(serverPids.map(cpuSeconds)) - serverCpuBefore;
    await stopProcess(sequencer);
    const bareLog = await runOwn('bare-log', { urls, replicas: nodes, single });
    const half = Math.floor(commands / 2);
    const measured = { warmUp: PREPARING_COMMANDS + half, commands: half };
    const bareCore = await runOwn('bare-core', { urls, ...measured });
    const lower = Math.min(bareLog.commandsPerSecond, bareCore.commandsPerSecond);
    const all = PREPARING_COMMANDS + commands + single;
    return {
      sequencer: whole.commandsPerSecond,
      bareLog: bareLog.commandsPerSecond,
      bareCore: bareCore.commandsPerSecond,
      ratioToBare: rounded(whole.commandsPerSecond / lower),
      commandsPerFrame: bareLog.commandsPerFrame,
      p50Ms: whole.p50Ms,
      p99Ms: whole.p99Ms,
      oneInFlightP50Ms: whole.oneInFlightP50Ms,
      oneInFlightP99Ms: whole.oneInFlightP99Ms,
      bareAckP50Ms: bareLog.oneInFlightP50Ms,
      bareAckP99Ms: bareLog.oneInFlightP99Ms,
      oneInFlightRatio: rounded(whole.oneInFlightP50Ms / bareLog.oneInFlightP50Ms),
      clientCpuUs: rounded(whole.clientCpuUsPerCommand),
      sequencerCpuUs: rounded((sequencerCpu * 1e6) / all),
      serverCpuUs: rounded((serverCpu * 1e6) / all),
    };
  } finally {
    sequencer.kill('SIGKILL');
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program in this folder. */
function runOwn(name: string, options: Record<string, string | number>): Promise<Figures> {
  const parameters = Object.entries(options).map(([key, value]) => `--${key}=${value}`);
  return runProgram(join(import.meta.dirname, name, 'main.ts'), parameters);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
