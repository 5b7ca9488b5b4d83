// Tests signed transactions against a real chain: anvil recovers the sender, accepts the nonce,
// computes the transaction ID and moves the coins. Our own decoding is not involved.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { COLD_FOR_TEST } from '../../infra/custody-file/custody-file-for-test.ts';
import type { SignedAnswer, SignRequest } from '../../infra/signer-link/index.ts';
import { type Anvil, startAnvil } from '../../tools/services/anvil.ts';
import { callData, TestChain } from '../../tools/services/test-chain.ts';
import { ALICE, ETH, feeOf, SignerStage, USDT, uuid } from './signer-for-test.ts';

const ETHER = 10n ** 18n;
let anvil: Anvil;
let chain: TestChain;
let stage: SignerStage;
let token: string;

before(async () => {
  anvil = await startAnvil({ folder: mkdtempSync(join(tmpdir(), 'signer-chain-')) });
  chain = await new TestChain(anvil.url).open();
  token = (await chain.deploy('StandardToken')).toLowerCase();
  stage = new SignerStage((document) => void (document.coins[1].contract = token));
  const hot = stage.keys.hotAddress;
  await chain.send({ to: hot, value: 20n * ETHER });
  await chain.send({ to: token, data: callData('transfer(address,uint256)', [hot, 9_000_000n]) });
  await chain.mine();
});

after(() => anvil.stop());

async function broadcast(request: SignRequest): Promise<SignedAnswer> {
  const answer = stage.ask(request);
  assert.equal(answer.kind, 'signed', JSON.stringify(answer));
  const signed = answer as SignedAnswer;
  const hash = await chain.ask('eth_sendRawTransaction', signed.version.raw);
  assert.equal(hash, signed.version.txid);
  return signed;
}

async function mined({ version, payment }: SignedAnswer): Promise<void> {
  await chain.mine();
  const receipt = (await chain.receipt(version.txid)) as unknown as Record<string, string>;
  assert.deepEqual([receipt.status, receipt.from], ['0x1', payment.slot.from]);
}

test('a payment of the native coin arrives to the unit', async () => {
  const earlier = await chain.units(ALICE);
  await mined(await broadcast(stage.pay({ withdrawal: 1, atoms: 123_456_789n })));
  assert.equal((await chain.units(ALICE)) - earlier, 1_234_567_890_000_000_000n);
});

test('a payment of a token arrives to the unit', async () => {
  const fee = feeOf(30, 100_000);
  await mined(await broadcast(stage.pay({ withdrawal: 2, asset: USDT, atoms: 1_234_567n, fee })));
  assert.equal(await chain.units(ALICE, token), 1_234_567n);
});

test('a version with a higher fee replaces the earlier one, and one of them is mined', async () => {
  const earlier = await chain.units(ALICE);
  const request = stage.pay({ withdrawal: 3, fee: feeOf(30) });
  const first = await broadcast(request);
  const second = await broadcast({ ...request, fee: feeOf(34) });
  await mined(second);
  assert.equal(await chain.ask('eth_getTransactionReceipt', first.version.txid), null);
  assert.equal((await chain.units(ALICE)) - earlier, ETHER);
});

test('a top-up and a sweep move coins between wallets of the exchange', async () => {
  const sign = (number: number, intent: object) => ({
    kind: 'sign' as const,
    payment: uuid(number),
    intent: { network: 'eth', asset: ETH, ...intent } as SignRequest['intent'],
    fee: feeOf(30),
    statements: [],
    approvals: {},
  });
  const user = stage.keys.addressOf({ user: 77 });
  await mined(await broadcast(sign(50, { kind: 'top_up', user: 77, units: ETHER.toString() })));
  assert.equal(await chain.units(user), ETHER);
  const units = (ETHER / 2n).toString();
  const swept = await broadcast(sign(51, { kind: 'sweep', user: 77, to: 0, units }));
  assert.equal(swept.payment.slot.from, user);
  await mined(swept);
  assert.equal(await chain.units(COLD_FOR_TEST), ETHER / 2n);
});

test('a void is mined instead of its payment', async () => {
  const earlier = await chain.units(ALICE);
  const request = stage.pay({ withdrawal: 4 });
  const { payment } = await broadcast(request);
  const intent = { kind: 'void', network: 'eth', asset: ETH, of: payment.id } as const;
  const fee = feeOf(40);
  await mined(await broadcast({ ...request, payment: uuid(60), statements: [], fee, intent }));
  assert.equal(await chain.units(ALICE), earlier);
});
