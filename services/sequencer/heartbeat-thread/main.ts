// Thread that sends a leader's heartbeats. It has its own event loop and its own connection to
// NATS, so no frame delays them. It exits with the process.

import { parentPort, workerData } from 'node:worker_threads';
import { connectNats, NatsBus } from '../../../infra/bus/index.ts';
import {
  encodeHeartbeat,
  type LeaderHeartbeat,
  linkSubjects,
} from '../../../infra/command-link/index.ts';
import { openIdentity } from '../../../infra/identities/index.ts';
import { createLogger, systemClock } from '../../../infra/process/index.ts';
import type { SequencerConfig } from '../config.ts';
import { HeartbeatRepeater } from '../heartbeat-repeater.ts';

/** `stop` is for the leader's heartbeats, `close` for the thread. */
export type ToHeartbeatThread = LeaderHeartbeat | 'stop' | 'close';

const port = parentPort!;
const config: SequencerConfig = workerData;
const { exchange, frameMsMax, heartbeatMs, instance, logLevel: level, natsUrls: urls } = config;
const name = `${instance}-heartbeats`;
const log = createLogger({ service: 'sequencer', instance: name, level });
const identity = openIdentity('sequencer', config);
const nats = await connectNats({ urls, name, identity, log });
const bus = new NatsBus(nats);
const { leader } = linkSubjects(exchange);
const repeater = new HeartbeatRepeater({
  clock: systemClock,
  heartbeatMs,
  frameMsMax,
  publish: (heartbeat) => bus.publish(leader, encodeHeartbeat(heartbeat)),
});
port.on('message', (message: ToHeartbeatThread) => void receive(message));

async function receive(message: ToHeartbeatThread): Promise<void> {
  if (typeof message === 'object') {
    repeater.send(message);
    return;
  }
  repeater.stop();
  if (message === 'stop') return;
  await nats.close();
  port.close();
}
