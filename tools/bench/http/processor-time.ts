// Processor time used by processes, and the machine's load, between two moments. From /proc, so
// only on Linux; elsewhere everything is 0.

import { readdirSync, readFileSync } from 'node:fs';

/** By process name; equal names are added up. */
export type ProcessIds = Readonly<Record<string, readonly number[]>>;

export interface ProcessorUse {
  /** Microseconds per request. */
  readonly usPerRequest: Readonly<Record<string, number>>;
  /** Share of all processors used by anything on the machine: 1 is all of the time. */
  readonly busyShare: number;
}

// The kernel's default clock tick.
const TICKS_PER_SECOND = 100;
const US_PER_TICK = 1_000_000 / TICKS_PER_SECOND;
// Fields of /proc/PID/stat after the name, which is in brackets and can contain spaces.
const PARENT_AT = 1;
const USER_AT = 11;
const SYSTEM_AT = 12;

export class ProcessorTime {
  readonly #processes: ProcessIds;
  readonly #before: Readonly<Record<string, number>>;
  readonly #machineBefore: MachineTicks;

  /** Begins to measure. */
  constructor(processes: ProcessIds) {
    this.#processes = processes;
    this.#before = ticksOf(processes);
    this.#machineBefore = machineTicks();
  }

  /** Returns the CPU time since then, per request. */
  use(requests: number): ProcessorUse {
    const now = ticksOf(this.#processes);
    const usPerRequest: Record<string, number> = {};
    for (const [name, ticks] of Object.entries(now)) {
      const us = ((ticks - (this.#before[name] ?? 0)) * US_PER_TICK) / Math.max(1, requests);
      usPerRequest[name] = Number(us.toFixed(1));
    }
    const machine = machineTicks();
    const busy = machine.busy - this.#machineBefore.busy;
    const all = machine.all - this.#machineBefore.all;
    return { usPerRequest, busyShare: Number((busy / Math.max(1, all)).toFixed(2)) };
  }
}

/** Returns a process and its descendants: a database has one for each connection. */
export function withChildren(pid: number | undefined): readonly number[] {
  if (pid === undefined) return [];
  if (process.platform !== 'linux') return [pid];
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => Number(statOf(other)?.[PARENT_AT]) === pid);
  return [pid, ...children];
}

function ticksOf(processes: ProcessIds): Record<string, number> {
  const sums = Object.entries(processes).map(([name, pids]) => {
    const ticks = pids.map((pid) => {
      const stat = statOf(pid);
      return stat === undefined ? 0 : Number(stat[USER_AT]) + Number(stat[SYSTEM_AT]);
    });
    return [name, ticks.reduce((sum, one) => sum + one, 0)] as const;
  });
  return Object.fromEntries(sums);
}

/** Returns undefined if the process has exited. */
function statOf(pid: number): readonly string[] | undefined {
  const text = readText(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

interface MachineTicks {
  readonly busy: number;
  readonly all: number;
}

function machineTicks(): MachineTicks {
  const [first = ''] = (readText('/proc/stat') ?? '').split('\n', 1);
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = first
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const busy = user + nice + system + irq + soft + steal;
  return { busy, all: busy + idle + wait };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
