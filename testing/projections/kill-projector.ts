// Projects a log with a process that receives SIGKILL at seeded random moments. After enough kills
// the last process can finish.

import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '../../infra/postgres/index.ts';
import {
  cursorOf,
  ProjectorProcess,
  type ProjectorProcessOptions,
  waitForCursor,
} from '../../tools/bench/projector/projector-process.ts';
import type { Random } from '../flows/index.ts';

export interface KillOptions {
  readonly process: ProjectorProcessOptions;
  /** Connection to the process's schema. */
  readonly session: Connection;
  readonly messages: number;
  readonly kills: number;
  readonly random: Random;
  /** Maximum time that a process keeps running after its share, in milliseconds. */
  readonly lingerMsMax: number;
}

export interface Killed {
  readonly kills: number;
  /** Kills during projection: events were left to project, and some had been projected. */
  readonly killsAtWork: number;
}

const FINISH_TIMEOUT_MS = 300_000;

/** Share of processes that are killed after a random time, even if they projected nothing. */
const IDLE_LIFE_PERCENT = 20;
const SHARE_TIMEOUT_MS = 60_000;

export async function projectUnderKills(options: KillOptions): Promise<Killed> {
  const { kills, lingerMsMax, messages, random, session } = options;
  let killsAtWork = 0;
  let before = 0;
  for (let count = 0; count < kills; count++) {
    const projector = new ProjectorProcess(options.process);
    await projector.started;
    if (projector.exitCode !== null)
      throw new Error(`the projector exited with ${projector.exitCode}`);
    // Some processes do nothing, some do twice their share of the rest, so kills last to the end.
    const share = random.below(Math.ceil((2 * (messages - before)) / (kills - count + 1)));
    if (random.chance(IDLE_LIFE_PERCENT)) await delay(random.below(lingerMsMax));
    else {
      const sequence = Math.min(before + share, messages - 1);
      await waitForCursor(session, { sequence, timeoutMs: SHARE_TIMEOUT_MS });
    }
    await delay(random.below(lingerMsMax));
    await projector.kill('SIGKILL');
    const after = await cursorOf(session);
    if (after < messages && after > before) killsAtWork++;
    before = after;
  }
  const last = new ProjectorProcess(options.process);
  // Everything might be projected already. A process must have started to receive SIGTERM.
  await last.started;
  await waitForCursor(session, { sequence: messages, timeoutMs: FINISH_TIMEOUT_MS });
  await last.kill('SIGTERM');
  if (last.exitCode !== 0)
    throw new Error(`the projector exited with ${last.exitCode} after SIGTERM`);
  return { kills, killsAtWork };
}
