// `npm run clients`: clients from npm, unmodified, against a running exchange. One line for each
// case; the last line is JSON for programs. Ends with 1 when anything failed or was not tried.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/sandbox.ts';
import { accountCases } from './ccxt/account-cases.ts';
import { errorCases } from './ccxt/error-cases.ts';
import { listingCases } from './ccxt/listing-cases.ts';
import { marketDataCases } from './ccxt/market-data-cases.ts';
import { orderCases } from './ccxt/order-cases.ts';
import { orderListCases } from './ccxt/order-list-cases.ts';
import { rawCases } from './ccxt/raw-cases.ts';
import { stopCases } from './ccxt/stop-cases.ts';
import type { ClientCase } from './client-case.ts';
import { type ClientStage, createStage } from './client-stage.ts';
import { declaredBy } from './coverage.ts';

const groups: Readonly<Record<string, readonly ClientCase[]>> = {
  listing: listingCases,
  'market data': marketDataCases,
  orders: orderCases,
  stops: stopCases,
  'lists of orders': orderListCases,
  accounts: accountCases,
  'raw endpoints': rawCases,
  errors: errorCases,
};

const sandbox = await startSandbox({ gateways: 1, logLevel: 'warn' });
let failures: string[] = [];
let tried = 0;
try {
  const stage = createStage(sandbox);
  for (const [name, cases] of Object.entries(groups)) {
    console.log(`ccxt: ${name}`);
    for (const one of cases) {
      tried += 1;
      if (!(await succeeds(one, stage))) failures = [...failures, one.title];
    }
  }
  const covered = new Set(Object.values(groups).flatMap((cases) => cases.flatMap((c) => c.covers)));
  for (const declared of declaredBy(stage.client())) {
    if (covered.has(declared)) continue;
    tried += 1;
    failures = [...failures, `${declared} is not tried by any case`];
    console.log(`✖ ${declared} is not tried by any case`);
  }
} finally {
  if (failures.length > 0) console.error(sandbox.logs('gateway-http-1'));
  await sandbox.stop();
}
const failed = failures.length;
const client = `ccxt ${versionOf('ccxt')}`;
console.log(JSON.stringify({ tried, passed: tried - failed, failed, client, failures }));
process.exitCode = failed > 0 ? 1 : 0;

async function succeeds({ run, title }: ClientCase, stage: ClientStage): Promise<boolean> {
  try {
    await run(stage);
    console.log(`✔ ${title}`);
    return true;
  } catch (fault) {
    const message = fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault);
    console.log(`✖ ${title}\n${message.replaceAll(/^/gm, '    ')}`);
    return false;
  }
}

/** As the manifest pins it: what a package says of itself may be late by a release. */
function versionOf(name: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { devDependencies } = JSON.parse(text) as { devDependencies: Record<string, string> };
  return devDependencies[name];
}
