// The sequencers of a sandbox: which one leads, whether their states agree, and killing the leader
// under load.

import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';
import type { SandboxService } from '../../../tools/sandbox/sandbox-service.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import type { OrderLoad } from './order-load.ts';

const RECOVERS_WITHIN_MS = 30_000;
/** States are compared every so many frames, and a busy machine makes few. */
const COMPARES_WITHIN_MS = 120_000;
/** Orders that a new leader must have answered. */
const ANSWERED_AFTER = 16;

/** Returns undefined if none leads now. */
export async function findLeader(sandbox: Sandbox): Promise<SandboxService | undefined> {
  for (const sequencer of sequencersOf(sandbox)) {
    // A process that has become the leader leads until it exits.
    if (/^rialto_sequencer_takeovers_total [1-9]/m.test(await metricsOf(sequencer))) {
      return sequencer;
    }
  }
  return undefined;
}

export async function leaderOf(sandbox: Sandbox): Promise<SandboxService> {
  let found: SandboxService | undefined;
  await waitUntil({
    what: 'a sequencer leads',
    timeoutMs: RECOVERS_WITHIN_MS,
    question: async () => {
      found = await findLeader(sandbox);
      return found !== undefined;
    },
  });
  return found!;
}

export async function standbyOf(sandbox: Sandbox): Promise<SandboxService> {
  const leader = await leaderOf(sandbox);
  return sequencersOf(sandbox).find((sequencer) => sequencer !== leader)!;
}

/**
 * Waits until another sequencer leads and orders are answered again; then restarts the killed one.
 */
export async function killLeader(sandbox: Sandbox, load: OrderLoad): Promise<void> {
  const leader = await leaderOf(sandbox);
  const { answered } = load;
  await leader.kill('SIGKILL');
  await waitUntil({
    what: 'orders are answered again',
    timeoutMs: RECOVERS_WITHIN_MS,
    question: () => load.answered > answered + ANSWERED_AFTER,
  });
  await leader.start();
}

/** Waits until the standby has compared its state with the leader's, and returns how often. */
export async function compareStates(sandbox: Sandbox): Promise<number> {
  let compared = 0;
  await waitUntil({
    what: 'the standby has compared its state',
    timeoutMs: COMPARES_WITHIN_MS,
    question: async () => {
      compared = 0;
      for (const sequencer of sequencersOf(sandbox)) {
        const metrics = await metricsOf(sequencer);
        const isLeader = /^rialto_sequencer_leads 1/m.test(metrics);
        const count = /^rialto_sequencer_states_compared_total (\d+)/m.exec(metrics)?.[1];
        if (!isLeader) compared += Number(count ?? 0);
      }
      return compared > 0;
    },
  });
  return compared;
}

function sequencersOf({ services }: Sandbox): readonly SandboxService[] {
  return services.filter(({ name }) => name.startsWith('sequencer'));
}

/** Returns an empty text while the process is down. */
function metricsOf({ healthUrl }: SandboxService): Promise<string> {
  return fetch(`${healthUrl}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
}
