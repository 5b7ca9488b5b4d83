// Users, API keys, sessions, invitations and the rotation of key-encryption keys, for operators:
// `rialto key COMMAND`. A secret is printed once, to standard output, and stored
// nowhere in plain text.

import { type Bus, connectNats, NatsBus } from '../../infra/bus/index.ts';
import { openPool, postgresAddress } from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { openVault } from '../../platform/vault/index.ts';
import { EXIT_OK, runTool } from '../command-line.ts';
import { executeRequest } from './execute-request.ts';
import {
  KEYS_OPTIONS,
  KEYS_USAGE,
  type KeysRequest,
  keysConfig,
  readRequest,
} from './keys-request.ts';

const CONNECT_TIMEOUT_MS = 3_000;

await runTool({
  usage: KEYS_USAGE,
  options: KEYS_OPTIONS,
  takesPositionals: true,
  run: ({ positionals, values }) => execute(readRequest(positionals, values)),
});
// A NATS connection that is still being tried would keep the process alive.
process.exit();

async function execute(request: KeysRequest): Promise<number> {
  const config = keysConfig(process.env);
  const { natsUrls, postgresStatementTimeoutMs, registrySchema } = config;
  const pool = openPool({
    ...postgresAddress(config, config.mode),
    schema: registrySchema,
    name: 'keys',
    connectionsMax: 1,
    statementTimeoutMs: postgresStatementTimeoutMs,
  });
  const log = createLogger({ service: 'keys', instance: 'keys', level: 'warn' });
  try {
    const openTheVault = async () => {
      const { stop, vault } = await openVault({ config, registry: pool, clock: systemClock, log });
      stop();
      return vault;
    };
    const lines = await executeRequest(request, {
      config,
      pool,
      openVault: openTheVault,
      print: (line) => console.log(line),
      withBus,
    });
    for (const line of lines) console.log(line);
    return EXIT_OK;
  } finally {
    await pool.end();
  }

  // A revocation is valid even if the gateways cannot be notified at once.
  async function withBus<Result>(work: (bus: Bus) => Promise<Result>): Promise<Result> {
    const connect = () => connectNats({ urls: natsUrls ?? [], name: 'keys', log });
    const nats = natsUrls === undefined ? undefined : await within(CONNECT_TIMEOUT_MS, connect());
    if (nats === undefined) {
      console.error('Cannot connect to NATS: the gateways will notice the change within a minute.');
      return work({ publish: () => {}, subscribe: () => ({ stop: () => {} }) });
    }
    const result = await work(new NatsBus(nats));
    await nats.close();
    return result;
  }
}

function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    systemClock.after(limitMs, () => resolve(undefined));
    work.then(resolve, reject);
  });
}
