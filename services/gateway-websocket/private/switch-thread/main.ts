// Thread that keeps dead man's switches armed. It has its own event loop and its own connection to
// the exchange, so work for clients never delays a renewal. It exits with the process, and then the
// switches run out.

import { parentPort, workerData } from 'node:worker_threads';
import { connectNats, NatsBus } from '../../../../infra/bus/index.ts';
import { openCommandClient } from '../../../../infra/command-link/index.ts';
import { openIdentity, streamIdentity } from '../../../../infra/identities/index.ts';
import { createLogger, systemClock } from '../../../../infra/process/index.ts';
import { SwitchKeeper } from '../switch-keeper.ts';
import type { FromSwitchThread, SwitchThreadConfig, ToSwitchThread } from '../switch-messages.ts';

const port = parentPort!;
const config: SwitchThreadConfig = workerData;
const { commandTimeoutMs, exchange, instance, logLevel: level, natsUrls: urls } = config;
const name = `${instance}-switches`;
const log = createLogger({ service: 'gateway-websocket', instance: name, level });
const identity = openIdentity(streamIdentity(config.streamAudience), config);
const nats = await connectNats({ urls, name, identity, log });
const bus = new NatsBus(nats);
const commands = openCommandClient({ bus, clock: systemClock, exchange, identity });
const keeper = new SwitchKeeper({
  clock: systemClock,
  bus,
  exchange,
  commands,
  commandTimeoutMs,
  watcher: {
    rejected: (outcome) => send({ kind: 'rejected', outcome }),
    released: () => send({ kind: 'released' }),
  },
});
port.on('message', (message: ToSwitchThread) => void receive(message));

async function receive(message: ToSwitchThread): Promise<void> {
  keeper.gatewayRan();
  switch (message.kind) {
    case 'ran':
      return;
    case 'set': {
      const answer = await keeper.set(message.holder, message.timeoutMs);
      send({ kind: 'answer', request: message.request, answer });
      return;
    }
    case 'release':
      keeper.release(message.holder);
      return;
    case 'stop':
      keeper.stop();
      commands.close();
      await nats.close();
      port.close();
  }
}

function send(message: FromSwitchThread): void {
  port.postMessage(message);
}
