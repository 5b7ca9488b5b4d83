// The faults of the drill: each one begins, and ends when commands are acknowledged again.

import { setTimeout as delay } from 'node:timers/promises';
import { GENESIS_LIMITS } from '../../../services/sequencer/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { order } from '../../flows/set-up.ts';
import { POISON_REFERENCE } from './faulty-source.ts';
import { BUYER, MARKET, ORDERS_PER_LEVEL, POISON_CHANNEL } from './fill-book.ts';
import { ask, type Stage } from './stage.ts';

export interface StagedFault {
  readonly name: string;
  /** Changes of leader that the fault explains; every further one is needless. */
  readonly leaderChanges: number;
  /** Undefined if this machine cannot stage it. */
  isPossible?(stage: Stage): boolean;
  /** Resolves with the time for which nothing could be acknowledged, whatever the sequencers do. */
  strike(stage: Stage, options: { readonly quick: boolean }): Promise<number>;
}

const STOPPED_MS = 3_000;
const RECOVERS_WITHIN_MS = 120_000;

export const FAULTS: readonly StagedFault[] = [
  {
    name: 'leader-cut-off-from-log',
    leaderChanges: 1,
    async strike(stage) {
      const { process, proxy } = await stage.leader();
      const { epoch } = stage.prober;
      proxy.stop(process.name);
      await waitUntil({
        what: 'another sequencer leads',
        timeoutMs: RECOVERS_WITHIN_MS,
        question: () => stage.prober.epoch > epoch,
      });
      await resumed(stage);
      proxy.resume();
      return 0;
    },
  },
  {
    name: 'leader-stopped',
    leaderChanges: 1,
    async strike(stage) {
      const { process } = await stage.leader();
      process.kill('SIGSTOP');
      await delay(STOPPED_MS);
      process.kill('SIGCONT');
      await resumed(stage);
      return 0;
    },
  },
  {
    name: 'poison-command',
    leaderChanges: 1,
    async strike(stage) {
      const outcome = await stage.prober.send({
        kind: 'CreditDeposit',
        channel: POISON_CHANNEL,
        channelSequence: 1,
        user: 1,
        asset: 1,
        amountAtoms: 1n,
        reference: POISON_REFERENCE,
      });
      const refusal = outcome.kind === 'answered' ? outcome.result.refusal : outcome.kind;
      if (refusal !== 'command_is_poisoned') throw new Error(`the poison command ended ${refusal}`);
      return 0;
    },
  },
  {
    name: 'set-limits',
    leaderChanges: 0,
    async strike({ prober }) {
      const ordersMax = 2 * GENESIS_LIMITS.ordersMax;
      await prober.sendAll([{ kind: 'SetLimits', ...GENESIS_LIMITS, ordersMax }], 1);
      return 0;
    },
  },
  {
    name: 'big-sweep',
    leaderChanges: 0,
    async strike({ prober }, { quick }) {
      const sweeps = Array.from({ length: quick ? 10 : 400 }, () =>
        order({
          user: BUYER,
          market: MARKET,
          side: 'buy',
          type: 'market',
          timeInForce: 'IOC',
          sizeLots: ORDERS_PER_LEVEL,
        }),
      );
      await prober.sendAll(sweeps, sweeps.length);
      return 0;
    },
  },
  {
    name: 'log-stopped',
    leaderChanges: 0,
    async strike(stage) {
      const { process } = await stage.leader();
      await stage.node.kill('SIGSTOP');
      const sinceMs = performance.now();
      await delay(STOPPED_MS);
      const { status } = await ask(process, '/ready');
      await stage.node.kill('SIGCONT');
      const ownMs = performance.now() - sinceMs;
      if (status === 200) throw new Error('the leader of a dead log reports that it is ready');
      await resumed(stage);
      return ownMs;
    },
  },
  {
    name: 'log-disk-full',
    // The server answers questions until it switches JetStream off: meanwhile a standby cannot tell
    // a log that stores nothing from a leader that is cut off, and may take over once.
    leaderChanges: 1,
    isPossible: ({ disk }) => typeof disk !== 'string',
    async strike(stage) {
      const { disk, node } = stage;
      if (typeof disk === 'string') return 0;
      const { process } = await stage.leader();
      const sinceMs = performance.now();
      disk.fill();
      await waitUntil({
        what: 'the leader reports that it is not ready',
        timeoutMs: RECOVERS_WITHIN_MS,
        question: async () => (await ask(process, '/ready')).status === 503,
      });
      disk.free();
      await node.kill('SIGTERM');
      await node.start();
      const ownMs = performance.now() - sinceMs;
      await resumed(stage);
      return ownMs;
    },
  },
];

/** Commands are acknowledged again, a number of them. */
async function resumed({ prober }: Stage): Promise<void> {
  const wanted = prober.acknowledgements + 20;
  await waitUntil({
    what: 'commands are acknowledged again',
    timeoutMs: RECOVERS_WITHIN_MS,
    question: () => prober.acknowledgements > wanted,
  });
}
