// Runs a world until a condition holds, mainly until everything has settled: one leader serves,
// every replica is at the end of the log, and no client has a pending command.

import { decodeEventBatch } from '../../infra/journal/index.ts';
import type { World } from './world.ts';

export const SETTLE_MS_MAX = 20_000;
const STEP_MS = 50;

/** Runs until the condition holds; returns false if it does not hold in time. */
export function runUntil(world: World, forMs: number, holds: (world: World) => boolean): boolean {
  for (let spentMs = 0; spentMs < forMs; spentMs += STEP_MS) {
    world.run(STEP_MS);
    if (holds(world)) return true;
    if (world.violations.length > 0) return true;
  }
  return false;
}

/** Reports a violation if the world does not settle; `when` describes the moment. */
export function settle(world: World, when: string): void {
  if (runUntil(world, SETTLE_MS_MAX, (one) => unsettled(one) === '')) return;
  world.violate(`not settled ${when}: ${unsettled(world)}`);
}

/** Describes the first part that has not settled; empty if everything has. */
function unsettled(world: World): string {
  const { clients, commands, events, living, operator, snapshotter } = world;
  const hosts = [...living, ...clients, operator, snapshotter];
  const down = hosts.find(({ machine }) => !machine.isUp);
  if (down !== undefined) return `${down.machine.name} is down`;
  const serving = living.filter(({ isServing }) => isServing);
  if (serving.length !== 1) return `${serving.length} leaders`;
  for (const { machine, replica } of [...living, snapshotter]) {
    const sequence = replica?.sequence ?? 0;
    if (sequence !== commands.last) return `${machine.name} is at ${sequence} of ${commands.last}`;
  }
  const told = events.last === 0 ? 0 : lastFrameOf(events.message(events.last));
  if (told !== commands.last) return `EVENTS is at ${told} of ${commands.last}`;
  for (const client of [...clients, operator]) {
    if (client.open > 0) return `${client.name} has ${client.open} pending commands`;
  }
  return '';
}

function lastFrameOf(message: Uint8Array): number {
  return decodeEventBatch(message).parts.at(-1)?.sequence ?? 0;
}
