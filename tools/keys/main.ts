// `rialto key COMMAND`: users, API keys, sessions, invitations and key-encryption key rotation, for
// operators. A secret is printed once, to standard output, and stored nowhere in plain text.

import { type Bus, connectNats, NatsBus } from '../../infra/bus/index.ts';
import { type Logger, systemClock } from '../../infra/process/index.ts';
import { EXIT_OK, runTool } from '../command-line.ts';
import { withRegistry } from '../registry-tool.ts';
import { executeRequest } from './execute-request.ts';
import { KEYS_OPTIONS, KEYS_USAGE, readRequest } from './keys-request.ts';

const CONNECT_TIMEOUT_MS = 3_000;

await runTool({
  usage: KEYS_USAGE,
  options: KEYS_OPTIONS,
  takesPositionals: true,
  run({ positionals, values }) {
    const request = readRequest(positionals, values);
    return withRegistry('keys', async ({ config, log, openVault, pool }) => {
      const withBus = busOf(config.natsUrls, log);
      const print = (line: string) => console.log(line);
      const lines = await executeRequest(request, { config, pool, openVault, print, withBus });
      for (const line of lines) console.log(line);
      return EXIT_OK;
    });
  },
});
// A pending NATS connection attempt would keep the process alive.
process.exit();

/** A revocation takes effect even if the gateways cannot be notified immediately. */
function busOf(natsUrls: readonly string[] | undefined, log: Logger) {
  return async <Result>(work: (bus: Bus) => Promise<Result>): Promise<Result> => {
    const connect = () => connectNats({ urls: natsUrls ?? [], name: 'keys', log });
    const nats = natsUrls === undefined ? undefined : await within(CONNECT_TIMEOUT_MS, connect());
    if (nats === undefined) {
      console.error('Cannot connect to NATS. Gateways will pick up the change within a minute.');
      return work({ publish: () => {}, subscribe: () => ({ stop: () => {} }) });
    }
    const result = await work(new NatsBus(nats));
    await nats.close();
    return result;
  };
}

function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    systemClock.after(limitMs, () => resolve(undefined));
    work.then(resolve, reject);
  });
}
