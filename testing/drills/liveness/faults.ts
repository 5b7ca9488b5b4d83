// Faults of the drill. Each one begins and ends.

import { setTimeout as delay } from 'node:timers/promises';
import { GENESIS_LIMITS } from '../../../services/sequencer/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { order } from '../../flows/set-up.ts';
import type { StagedFault } from '../harness/strike-faults.ts';
import { POISON_REFERENCE } from './faulty-source.ts';
import { BUYER, MARKET, ORDERS_PER_LEVEL, POISON_CHANNEL } from './fill-book.ts';
import type { Stage } from './stage.ts';

export interface LivenessFault extends StagedFault<Stage> {
  /** Leader changes that the fault explains; any additional one is needless. */
  readonly leaderChanges: number;
}

const STOPPED_MS = 3_000;
const RECOVERS_WITHIN_MS = 120_000;

export const FAULTS: readonly LivenessFault[] = [
  {
    name: 'leader-cut-off-from-log',
    leaderChanges: 1,
    async strike(stage) {
      const leader = await stage.log.leader();
      const proxy = stage.proxyOf(leader);
      const { epoch } = stage.prober;
      proxy.stop(leader.name);
      await waitUntil({
        what: 'another sequencer leads',
        timeoutMs: RECOVERS_WITHIN_MS,
        question: () => stage.prober.epoch > epoch,
      });
      await stage.prober.waitUntilResumed();
      proxy.resume();
      return 0;
    },
  },
  {
    name: 'leader-stopped',
    leaderChanges: 1,
    async strike(stage) {
      const leader = await stage.log.leader();
      leader.kill('SIGSTOP');
      await delay(STOPPED_MS);
      leader.kill('SIGCONT');
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
      const leader = await stage.log.leader();
      await stage.node.kill('SIGSTOP');
      const sinceMs = performance.now();
      await delay(STOPPED_MS);
      const { status } = await leader.ask('/ready');
      await stage.node.kill('SIGCONT');
      const ownMs = performance.now() - sinceMs;
      if (status === 200) throw new Error('the leader of a dead log reports that it is ready');
      return ownMs;
    },
  },
  {
    name: 'log-disk-full',
    // The server responds to requests until it switches JetStream off. During that time a standby
    // cannot distinguish a log that stores nothing from a leader that is cut off, so it might take
    // over once.
    leaderChanges: 1,
    isPossible: ({ disk }) => typeof disk !== 'string',
    async strike(stage) {
      const { disk, node } = stage;
      if (typeof disk === 'string') return 0;
      const leader = await stage.log.leader();
      const sinceMs = performance.now();
      disk.fill();
      await waitUntil({
        what: 'the leader reports that it is not ready',
        timeoutMs: RECOVERS_WITHIN_MS,
        question: async () => (await leader.ask('/ready')).status === 503,
      });
      disk.free();
      await node.kill('SIGTERM');
      await node.start();
      const ownMs = performance.now() - sinceMs;
      return ownMs;
    },
  },
];
