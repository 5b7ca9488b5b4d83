// Finds log replicas with missing messages and has them copied again. A server that finds a damaged
// block silently drops its messages, but a stream that denies deletion must not count deleted
// messages.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { journalNames } from '../../../infra/journal/index.ts';
import type { NatsNode } from '../../../tools/services/nats.ts';
import { EXCHANGE } from '../harness/log-stage.ts';
import { makeLeader } from './copies.ts';
import type { Stage } from './stage.ts';

type MonitorAnswer = {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly state: { messages: number; first_seq: number; last_seq: number };
    }[];
  }[];
};

export interface Hole {
  readonly node: NatsNode;
  readonly stream: string;
  readonly missing: number;
}

const REPORT_TIMEOUT_MS = 5_000;

/** Runs the operator's repair after a node was down. Returns the repaired holes. */
export async function mendHoles(stage: Stage): Promise<Hole[]> {
  const { commands, events } = journalNames(EXCHANGE);
  const mended: Hole[] = [];
  for (const { stream } of [commands, events]) {
    const holes = await findHoles(stage, stream);
    if (holes.length === 0) continue;
    const sound = stage.nodes.find((node) => !holes.some((hole) => hole.node === node));
    if (sound === undefined) throw new Error(`No node has an intact copy of ${stream}.`);
    for (const { missing, node } of holes) {
      console.log(`    ${node.name} lacks ${missing} messages of ${stream}; copying them again`);
      // A server that restarts under a damaged leader deletes the messages that the leader lacks.
      await makeLeader(stage, stream, sound.name);
      await node.kill('SIGKILL');
      // The Raft log with the node's votes is in another folder and is kept.
      const folder = join(node.storeFolder, 'jetstream', '$G', 'streams', stream);
      rmSync(folder, { recursive: true });
      await node.start();
      await stage.log.waitUntilReady();
    }
    mended.push(...holes);
  }
  return mended;
}

async function findHoles(stage: Stage, stream: string): Promise<Hole[]> {
  await stage.log.waitUntilReady();
  const found = await Promise.all(
    stage.nodes.map(async (node) => ({ node, stream, missing: await missingOf(node, stream) })),
  );
  return found.filter(({ missing }) => missing > 0);
}

/** Returns the count that the node reports. */
async function missingOf({ monitorUrl, name }: NatsNode, stream: string): Promise<number> {
  const signal = AbortSignal.timeout(REPORT_TIMEOUT_MS);
  const response = await fetch(`${monitorUrl}/jsz?accounts=true&streams=true`, { signal });
  const { account_details: accounts = [] } = (await response.json()) as MonitorAnswer;
  const details = accounts.flatMap(({ stream_detail: streams = [] }) => streams);
  const state = details.find((detail) => detail.name === stream)?.state;
  if (state === undefined) throw new Error(`${name} does not report ${stream}.`);
  return state.last_seq === 0 ? 0 : state.last_seq - state.first_seq + 1 - state.messages;
}
