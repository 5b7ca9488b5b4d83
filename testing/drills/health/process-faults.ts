// Process faults: killed, stopped, wrong version, and clients that do not read.

import { headers } from '@nats-io/transport-node';
import { FRAME_HEADER } from '../../../infra/live-feed/index.ts';
import type { SandboxService } from '../../../tools/sandbox/sandbox-service.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { StreamProbe } from '../../stream/stream-probe.ts';
import { leaderOf, standbyOf } from '../harness/sequencers.ts';
import { type StagedFault, stopDeposits } from './staged-fault.ts';

const START_TIMEOUT_MS = 30_000;
const SLOW_SOCKETS = 70;
const BOOK_BYTES = 200_000;
const BOOKS = 40;
/** Above all real frames. */
const FRAME_FROM = 1_000_000_000;

/** kill -9 of a process; the supervisor restarts it slowly. */
function killed(name: string, more: Partial<StagedFault> = {}): StagedFault {
  return {
    title: `${name} is killed`,
    alarm: 'ServiceDown',
    object: name,
    strike: ({ sandbox }) => sandbox.service(name).kill('SIGKILL'),
    repair: ({ sandbox }) => sandbox.service(name).start(),
    ...more,
  };
}

/** SIGSTOP: the process exists and keeps its connections, but does nothing. */
function stopped(name: string, more: Partial<StagedFault> = {}): StagedFault {
  return {
    title: `${name} hangs`,
    alarm: 'ServiceDown',
    object: name,
    strike: ({ sandbox }) => sandbox.service(name).kill('SIGSTOP'),
    repair: ({ sandbox }) => sandbox.service(name).kill('SIGCONT'),
    ...more,
  };
}

const BEHIND = ['FollowerBehind', 'LoopBlocked'];

export const PROCESS_FAULTS: readonly StagedFault[] = [
  killed('projector', { follows: BEHIND, isQuick: true }),
  killed('publisher', { follows: [...BEHIND, 'ServiceNotReady'] }),
  killed('archivist', { follows: BEHIND }),
  killed('reconciler', { follows: BEHIND }),
  killed('notifier'),
  killed('outbox-dispatcher', { follows: ['QueueOld'] }),
  killed('gateway-http-2'),
  killed('gateway-websocket-1'),
  stopped('projector', { follows: BEHIND }),
  stopped('publisher', { follows: [...BEHIND, 'ServiceNotReady'] }),
  {
    title: 'the standby is killed',
    alarm: 'NoStandby',
    object: '',
    follows: ['ServiceDown'],
    strike: async ({ sandbox }) => (await standbyOf(sandbox)).kill('SIGKILL'),
    repair: ({ sandbox }) => startEnded(sandbox.services, 'sequencer'),
  },
  {
    title: 'the leader hangs',
    alarm: 'ServiceDown',
    object: 'sequencer',
    follows: ['NoStandby', 'TwoLeaders', 'LoopBlocked', 'NoLeader', 'FollowerBehind'],
    strike: async ({ sandbox }) => (await leaderOf(sandbox)).kill('SIGSTOP'),
    repair: async ({ sandbox }) => {
      for (const one of sandbox.services) {
        if (one.name.startsWith('sequencer')) await one.kill('SIGCONT');
      }
    },
  },
  {
    title: 'both sequencers are killed',
    alarm: 'NoLeader',
    object: '',
    follows: ['NoStandby', 'ServiceDown', 'ServiceNotReady', 'FollowerBehind', 'QueueOld'],
    async strike({ sandbox }) {
      const both = sandbox.services.filter(({ name }) => name.startsWith('sequencer'));
      await Promise.all(both.map((one) => one.kill('SIGKILL')));
    },
    repair: ({ sandbox }) => startEnded(sandbox.services, 'sequencer'),
  },
  {
    title: 'a gateway hangs while a switch is pulled',
    alarm: 'SwitchLate',
    object: 'gateway-http-2',
    follows: ['ServiceDown', 'LoopBlocked'],
    isQuick: true,
    async strike({ ann, sandbox }) {
      await sandbox.service('gateway-http-2').kill('SIGSTOP');
      await stopDeposits(ann);
    },
    repair: ({ sandbox }) => sandbox.service('gateway-http-2').kill('SIGCONT'),
  },
  killed('monitor', { alarm: 'MonitorSilent', object: '', isQuick: true }),
  oldVersion(),
  slowReaders(),
];

/** Runs a gateway of an older release next to the others. */
function oldVersion(): StagedFault {
  let old: SandboxService | undefined;
  return {
    title: 'a process of an old version runs',
    alarm: 'VersionsDiffer',
    object: '',
    async strike({ sandbox }) {
      const settings = { RIALTO_COMMIT: 'old1234' };
      old = sandbox.service('gateway-http-2').beside('gateway-http-old', settings);
      await old.start();
      const { url } = old;
      await waitUntil({
        what: 'the old gateway serves',
        timeoutMs: START_TIMEOUT_MS,
        question: () =>
          fetch(`${url}/v2/health`).then(
            ({ ok }) => ok,
            () => false,
          ),
      });
    },
    async repair() {
      await old?.stop();
    },
  };
}

/** Clients that subscribe and never read; the gateway closes each when its queue is full. */
function slowReaders(): StagedFault {
  const probes: StreamProbe[] = [];
  return {
    title: `${SLOW_SOCKETS} clients of the stream do not read`,
    alarm: 'SlowReaders',
    object: 'gateway-websocket-1',
    follows: ['LoopBlocked'],
    async strike({ sandbox }) {
      for (let count = 0; count < SLOW_SOCKETS; count += 1) {
        const probe = await StreamProbe.open(sandbox.streamUrls[0]);
        probe.subscribe('orderbook:btc-usdt');
        await probe.nextOf('orderbook');
        probe.websocket.pause();
        probes.push(probe);
      }
      for (let book = 1; book <= BOOKS; book += 1) {
        const made = headers();
        made.set(FRAME_HEADER, String(FRAME_FROM + book));
        const text = `{"bids":[[${book},1]],"asks":[],"timestamp":"2026-01-01T00:00:00.000Z"`;
        const { client } = sandbox.admin.nats;
        client.publish('rialto.feed.book.btc-usdt', `${text.padEnd(BOOK_BYTES)}}`, {
          headers: made,
        });
      }
    },
    async repair() {
      for (const probe of probes) probe.close();
    },
  };
}

async function startEnded(services: readonly SandboxService[], prefix: string): Promise<void> {
  const ended = services.filter(({ name, pid }) => name.startsWith(prefix) && pid === undefined);
  await Promise.all(ended.map((one) => one.start()));
}
