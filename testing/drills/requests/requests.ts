// Sends a hundred thousand hostile requests, created from openapi.json, to a running exchange. Each
// must be answered, none with a server error, and afterwards the ledger must balance without
// negative users.

import { randomInt } from 'node:crypto';
import { HttpConnection } from '../../../tools/bench/http/loader/http-connection.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { Random } from '../../flows/index.ts';
import { findLedgerFaults } from './ledger-faults.ts';
import { type MadeRequest, RequestMaker } from './request-maker.ts';

const REQUESTS = { full: 100_000, quick: 3_000 };
const CONNECTIONS = 24;
const HANG_AFTER_MS = 20_000;
const EXAMPLES_MAX = 10;
const SEED_MAX = 2 ** 31;
/** One request in this many can be rejected as busy. */
const BUSY_SHARE = 100;

interface Tally {
  made: number;
  hangs: number;
  /** Rejected with Retry-After. */
  busy: number;
  readonly statuses: Map<number, number>;
  readonly operations: Map<string, number>;
  readonly examples: string[];
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const seed = Number(process.env.RIALTO_SEED ?? randomInt(SEED_MAX));
  console.log(`seed ${seed}`);
  const sandbox = await startSandbox({ checkAnswers: true });
  try {
    const { admin, alice, bob } = sandbox.seeded.users;
    const crowd = await sandbox.createTraders({ count: 8 });
    const maker = new RequestMaker(new Random(seed), [admin, alice, bob, ...crowd]);
    const tally: Tally = {
      made: 0,
      hangs: 0,
      busy: 0,
      statuses: new Map(),
      operations: new Map(),
      examples: [],
    };
    const wanted = quick ? REQUESTS.quick : REQUESTS.full;
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, () => keepSending(sandbox, maker, tally, wanted)),
    );
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    const ledgerFaults = await findLedgerFaults(sandbox.admin);
    return report({ tally, ledgerFaults, seconds, seed });
  } finally {
    await sandbox.stop();
  }
}

async function keepSending(
  sandbox: Sandbox,
  maker: RequestMaker,
  tally: Tally,
  wanted: number,
): Promise<void> {
  const port = Number(new URL(sandbox.url).port);
  let connection = await HttpConnection.open(port);
  while (tally.made < wanted) {
    tally.made += 1;
    const request = maker.make();
    const isOpen = await sendOne(connection, request, maker, tally);
    if (isOpen) continue;
    connection.close();
    connection = await HttpConnection.open(port);
  }
  connection.close();
}

/** Returns false if the connection cannot be reused. */
async function sendOne(
  connection: HttpConnection,
  request: MadeRequest,
  maker: RequestMaker,
  tally: Tally,
): Promise<boolean> {
  const { operation, text } = request;
  tally.operations.set(operation, (tally.operations.get(operation) ?? 0) + 1);
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), HANG_AFTER_MS);
  try {
    const answer = await Promise.race([connection.send(text), late]);
    if (answer === 'late') {
      tally.hangs += 1;
      note(tally, 'no answer', request);
      return false;
    }
    const { body, head, status } = answer;
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    if (status === 503 && /^retry-after:/im.test(head)) tally.busy += 1;
    else if (status >= 500) note(tally, `${status} ${body.toString()}`, request);
    if (status < 300) maker.learn(body.toString());
    return !/connection: close|transfer-encoding: chunked/i.test(head);
  } catch {
    // The server closed a connection that did not send HTTP, which is a valid answer.
    tally.statuses.set(0, (tally.statuses.get(0) ?? 0) + 1);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function note(tally: Tally, what: string, { operation, text }: MadeRequest): void {
  if (tally.examples.length >= EXAMPLES_MAX) return;
  tally.examples.push(`${operation}: ${what}\n${text.slice(0, 2_000)}`);
}

function report(all: {
  readonly tally: Tally;
  readonly ledgerFaults: readonly string[];
  readonly seconds: number;
  readonly seed: number;
}): Record<string, unknown> {
  const { ledgerFaults, seconds, seed, tally } = all;
  const { busy, examples, hangs, made, operations, statuses } = tally;
  for (const example of [...examples, ...ledgerFaults]) console.error(`${example}\n`);
  const faults = [...statuses].filter(([status]) => status >= 500);
  // A busy exchange can reject a few requests. The outcome is known, and the client sends again.
  const allowed = busy <= made / BUSY_SHARE ? busy : 0;
  const serverFaults = faults.reduce((sum, [, count]) => sum + count, 0) - allowed;
  if (serverFaults + hangs + ledgerFaults.length > 0) process.exitCode = 1;
  const sorted = [...statuses].toSorted(([one], [other]) => one - other);
  return {
    seed,
    requests: made,
    serverFaults,
    busy,
    hangs,
    ledgerFaults: ledgerFaults.length,
    seconds,
    operations: operations.size,
    statuses: Object.fromEntries(sorted),
  };
}
