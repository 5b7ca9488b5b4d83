// Runs all cases of the published clients against a sandbox. Prints one line per case; the last
// line is JSON for programs. Fails if a case fails or a declared method has no case.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { hollaex } from 'ccxt';
import { startSandbox } from '../../tools/sandbox/sandbox.ts';
import { accountCases } from './ccxt/account-cases.ts';
import { equalOrderCases } from './ccxt/equal-order-cases.ts';
import { errorCases } from './ccxt/error-cases.ts';
import { listingCases } from './ccxt/listing-cases.ts';
import { marketDataCases } from './ccxt/market-data-cases.ts';
import { orderCases } from './ccxt/order-cases.ts';
import { orderListCases } from './ccxt/order-list-cases.ts';
import { rawCases } from './ccxt/raw-cases.ts';
import { stopCases } from './ccxt/stop-cases.ts';
import { accountStreamCases } from './ccxt-pro/account-stream-cases.ts';
import { connectionCases } from './ccxt-pro/connection-cases.ts';
import { orderStreamCases } from './ccxt-pro/order-stream-cases.ts';
import { publicStreamCases } from './ccxt-pro/public-stream-cases.ts';
import { reconnectCases } from './ccxt-pro/reconnect-cases.ts';
import type { ClientCase } from './client-case.ts';
import { type ClientStage, createStage, STREAM_IDLE_MS } from './client-stage.ts';

const groups: Readonly<Record<string, readonly ClientCase[]>> = {
  listing: listingCases,
  'market data': marketDataCases,
  orders: orderCases,
  'equal orders': equalOrderCases,
  stops: stopCases,
  'order lists': orderListCases,
  accounts: accountCases,
  'raw endpoints': rawCases,
  errors: errorCases,
  'market data stream': publicStreamCases,
  'order stream': orderStreamCases,
  'account stream': accountStreamCases,
  'streams across restarts': reconnectCases,
  'stream sockets': connectionCases,
};

/** Groups in which gateways restart, or sockets are idle until they are closed. */
const SLOW_GROUPS: readonly (readonly ClientCase[])[] = [reconnectCases, connectionCases];

const CASE_TIMEOUT_MS = 60_000;

/** Returns true if every case passed. */
export async function runClients({ quick }: { quick: boolean }): Promise<boolean> {
  const sandbox = await startSandbox({
    gateways: 1,
    streams: 1,
    logLevel: 'warn',
    streamSettings: { RIALTO_IDLE_MS: String(STREAM_IDLE_MS) },
  });
  let failures: string[] = [];
  let tried = 0;
  try {
    const stage = createStage(sandbox);
    for (const [name, cases] of Object.entries(groups)) {
      if (quick && SLOW_GROUPS.includes(cases)) continue;
      console.log(`ccxt: ${name}`);
      for (const one of cases) {
        tried += 1;
        if (!(await succeeds(one, stage))) failures = [...failures, one.title];
      }
    }
    const covered = new Set(
      Object.values(groups).flatMap((cases) => cases.flatMap((c) => c.covers)),
    );
    for (const declared of declaredBy(await stage.streamClient())) {
      if (covered.has(declared)) continue;
      tried += 1;
      failures = [...failures, `${declared} has no case`];
      console.log(`✖ ${declared} has no case`);
    }
  } finally {
    for (const name of failures.length > 0 ? ['gateway-http-1', 'gateway-websocket-1'] : []) {
      console.error(sandbox.logs(name));
    }
    await sandbox.stop();
  }
  const failed = failures.length;
  const client = `ccxt ${versionOf('ccxt')}`;
  console.log(JSON.stringify({ tried, passed: tried - failed, failed, client, failures }));
  return failed === 0;
}

async function succeeds({ run, title }: ClientCase, stage: ClientStage): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // A watch might never end. Closing the streams below ends it.
  const timer = setTimeout(() => reject(new Error('the case timed out')), CASE_TIMEOUT_MS);
  try {
    await Promise.race([run(stage), late]);
    console.log(`✔ ${title}`);
    return true;
  } catch (fault) {
    const message = fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault);
    console.log(`✖ ${title}\n${message.replaceAll(/^/gm, '    ')}`);
    return false;
  } finally {
    clearTimeout(timer);
    await stage.closeStreams();
  }
}

/** Returns the version pinned by package.json, because a package can report an older one. */
function versionOf(name: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { devDependencies } = JSON.parse(text) as { devDependencies: Record<string, string> };
  return devDependencies[name];
}

/** Properties of the client, not calls. */
const NOT_CALLS = ['publicAPI', 'privateAPI', 'sandbox', 'spot', 'ws'];

/**
 * The declared features of a client, such as `fetchTicker` or `GET public oracle/prices`. A feature
 * without a case is a failure, so a later release of the client cannot add an untested one.
 */
function declaredBy(client: hollaex): string[] {
  const has = Object.entries(client.has as Readonly<Record<string, unknown>>)
    .filter(([, how]) => how === true || how === 'emulated')
    .map(([name]) => name)
    .filter((name) => !name.endsWith('Ws') && !NOT_CALLS.includes(name));
  const api = client.api as Readonly<Record<string, Record<string, Record<string, unknown>>>>;
  const endpoints = Object.entries(api).flatMap(([access, methods]) =>
    Object.entries(methods).flatMap(([method, paths]) =>
      Object.keys(paths).map((path) => `${method.toUpperCase()} ${access} ${path}`),
    ),
  );
  return [...has, ...endpoints];
}
