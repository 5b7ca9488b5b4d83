// Tests a sandbox with a local chain: coins sent to a deposit address are credited with their
// transaction, and the chain is kept across a restart of the sandbox.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitUntil } from '../services/wait-until.ts';
import { readChainFacts, sendTestCoins } from './local-chain.ts';
import { RestClient } from './rest-client.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

const CREDITED_WITHIN_MS = 30_000;
const folder = mkdtempSync(join(tmpdir(), 'rialto-local-chain-'));

let sandbox: Sandbox | undefined;

after(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Listed {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

async function start(): Promise<Sandbox> {
  sandbox = await startSandbox({ folder, withChain: true, isTogether: true, withReconciler: true });
  assert.ok(sandbox.chain !== undefined);
  return sandbox;
}

function clientOf({ seeded, url }: Sandbox): RestClient {
  return new RestClient({ url, ...seeded.users.alice });
}

/** As in the terminal: API keys cannot request addresses. */
async function addressOf({ admin, seeded, url }: Sandbox, crypto: string): Promise<string> {
  const { token } = await admin.issueSession({ user: seeded.users.alice.user });
  const response = await fetch(`${url}/v2/user/create-address?crypto=${crypto}&network=eth`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = (await response.json()) as { readonly address: string };
  assert.equal(response.status, 201, JSON.stringify(body));
  return body.address;
}

/** Resolves with the completed deposit of the transaction. */
async function creditOf(alice: RestClient, hash: string) {
  let found: Readonly<Record<string, unknown>> | undefined;
  await waitUntil({
    what: `${hash} is credited`,
    timeoutMs: CREDITED_WITHIN_MS,
    question: async () => {
      const { body } = await alice.get('/user/deposits', { limit: 5 });
      found = (body as Listed).data.find(({ transaction_id }) => transaction_id === hash.slice(2));
      return found?.status === true;
    },
  });
  return found!;
}

test('coins on the local chain are credited, before and after a restart', async () => {
  const first = await start();
  const alice = clientOf(first);
  const address = await addressOf(first, 'usdt');
  assert.equal(await addressOf(first, 'eth'), address, 'all coins of a network have one address');
  const tokens = await creditOf(alice, await first.chain!.send('usdt', '25.5', address));
  assert.deepEqual([tokens.amount, tokens.address, tokens.network], [25.5, address, 'eth']);
  await first.stop();

  const again = await start();
  const later = clientOf(again);
  assert.equal(await addressOf(again, 'eth'), address);
  // As the faucet of `npm run dev`, from another process.
  const facts = readChainFacts(folder);
  assert.ok(facts !== undefined);
  const hash = await sendTestCoins(facts, { symbol: 'eth', amount: '0.75', address });
  assert.equal((await creditOf(later, hash)).amount, 0.75);
});

test('the faucet rejects what the chain could not send', async () => {
  const facts = { url: '', coins: { usdt: { digits: 6, contract: `0x${'da'.repeat(20)}` } } };
  const address = `0x${'ab'.repeat(20)}`;
  for (const [symbol, amount, to, expected] of [
    ['btc', '1', address, 'Expected one of usdt'],
    ['usdt', '0.0000001', address, 'with 6 decimals at most'],
    ['usdt', '0', address, 'an amount above 0'],
    ['usdt', '1', 'bc1q', 'Expected an address'],
  ]) {
    await assert.rejects(sendTestCoins(facts, { symbol, amount, address: to }), (fault: Error) =>
      fault.message.includes(expected),
    );
  }
});
