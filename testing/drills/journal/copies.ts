// Reads each node's replica of the COMMANDS log by making that node its leader. This is the replica
// that followers would read if the other two were lost.

import { hashFrame, JetStreamLog, journalNames } from '../../../infra/journal/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { EXCHANGE } from '../harness/log-stage.ts';
import type { Stage } from './stage.ts';

const LEADS_WITHIN_MS = 60_000;
const READ_WITHIN_MS = 300_000;
const ASK_AGAIN_AFTER_MS = 2_000;
/** A replica that delivers nothing for this long is at its end. */
const SILENCE_MS = 5_000;

/**
 * Describes how a node's replica differs from these SHA-256 hashes; returns undefined if it does
 * not.
 */
export async function differenceOfCopy(
  stage: Stage,
  node: string,
  expected: readonly Uint8Array[],
): Promise<string | undefined> {
  const { commands } = journalNames(EXCHANGE);
  await makeLeader(stage, commands.stream, node);
  const log = new JetStreamLog({ nats: stage.nats, ...commands });
  const isSound = new Uint8Array(expected.length);
  let lastDeliveryMs = performance.now();
  let last = 0;
  const following = log.follow(1, (sequence, message) => {
    lastDeliveryMs = performance.now();
    last = sequence;
    if (Buffer.compare(hashFrame(message), expected[sequence - 1]) === 0) isSound[sequence - 1] = 1;
  });
  await waitUntil({
    what: `${node} delivers its copy`,
    timeoutMs: READ_WITHIN_MS,
    question: () => last === expected.length || performance.now() - lastDeliveryMs > SILENCE_MS,
  });
  following.stop();
  log.stop();
  const wrong = isSound.filter((one) => one === 0).length;
  if (wrong === 0) return undefined;
  return `${node} lacks ${wrong} messages of ${commands.stream}, from ${isSound.indexOf(0) + 1} on`;
}

export async function makeLeader(stage: Stage, stream: string, node: string): Promise<void> {
  let askedMs = Number.NEGATIVE_INFINITY;
  await waitUntil({
    what: `${node} leads ${stream}`,
    timeoutMs: LEADS_WITHIN_MS,
    question: async () => {
      if ((await stage.health.leaderNode(stream)) === node) return true;
      if (performance.now() - askedMs < ASK_AGAIN_AFTER_MS) return false;
      askedMs = performance.now();
      const body = JSON.stringify({ placement: { preferred: node } });
      const api = `$JS.API.STREAM.LEADER.STEPDOWN.${stream}`;
      // The next leader check shows whether it worked.
      await stage.nats.client.request(api, body, { timeout: 1_000 }).catch(() => {});
      return false;
    },
  });
}
