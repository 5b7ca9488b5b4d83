// Makes, lists and revokes API keys: `node tools/keys/main.ts create|list|revoke|user|session`.
// A secret is printed once, to standard output, and kept nowhere.

import { type Bus, connectNats, NatsBus } from '../../infra/bus/index.ts';
import { openPool } from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { carryOut } from './carry-out.ts';
import { type KeysOrder, keysConfig, readOrder, usage } from './order.ts';

const CONNECT_TIMEOUT_MS = 3_000;

// A connection that is still tried would keep the process.
process.exit(await run());

async function run(): Promise<number> {
  let order: KeysOrder;
  try {
    order = readOrder(process.argv.slice(2));
  } catch (fault) {
    console.error(`${fault instanceof Error ? fault.message : fault}\n${usage}`);
    return 2;
  }
  const config = keysConfig(process.env);
  const { natsUrls, postgresStatementTimeoutMs, postgresUrl, registrySchema } = config;
  const pool = openPool({
    url: postgresUrl.reveal(),
    schema: registrySchema,
    name: 'keys',
    connectionsMax: 1,
    statementTimeoutMs: postgresStatementTimeoutMs,
  });
  const log = createLogger({ service: 'keys', instance: 'keys', level: 'warn' });
  try {
    const lines = await carryOut(order, { config, pool, announcing });
    for (const line of lines) console.log(line);
    return 0;
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault);
    return 1;
  } finally {
    await pool.end();
  }

  // A revocation counts even when nobody can be told of it at once.
  async function announcing<Result>(work: (bus: Bus) => Promise<Result>): Promise<Result> {
    const connect = () => connectNats({ urls: natsUrls, name: 'keys', log });
    const nats = natsUrls.length === 0 ? undefined : await within(CONNECT_TIMEOUT_MS, connect());
    if (nats === undefined) {
      console.error('NATS is not reached: gateways will notice within a minute');
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
