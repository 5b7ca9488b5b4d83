// Tests what the signer signs and what it rejects, request by request. The transactions themselves
// are tested against a chain in evm-transaction.slow.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  COLD_FOR_TEST,
  KEYS_FOR_TEST,
  signedForTest,
  TOKEN_FOR_TEST,
} from '../../infra/custody-file/custody-file-for-test.ts';
import { createApproverKey, signText } from '../../infra/custody-file/index.ts';
import {
  type AdoptAnswer,
  type ApprovalsNeededAnswer,
  type KnownAnswer,
  type RefusedAnswer,
  type RenouncedAnswer,
  type SIGNER_REFUSALS,
  type SignedAnswer,
  type SignRequest,
  type StatusAnswer,
  stopText,
} from '../../infra/signer-link/index.ts';
import { ALICE, ETH, feeOf, SignerStage, START_MS, USDT, uuid } from './signer-for-test.ts';

const HOUR_MS = 3_600_000;
const TXID = `0x${'ab'.repeat(32)}`;

test('the same request gets the same bytes, and one slot', () => {
  const stage = new SignerStage();
  const first = stage.ask(stage.pay({ withdrawal: 1 })) as SignedAnswer;
  assert.equal(first.kind, 'signed');
  assert.deepEqual(first.payment.slot, {
    family: 'evm',
    from: stage.keys.addressOf('hot'),
    nonce: 0,
  });
  const entries = stage.journal.head.entry;
  assert.deepEqual(stage.ask(stage.pay({ withdrawal: 1 })), first);
  stage.restart();
  assert.deepEqual(stage.ask(stage.pay({ withdrawal: 1 })), first);
  assert.equal(stage.journal.head.entry, entries);
});

test('nonces have no gaps, even if payments between them are rejected', () => {
  const stage = new SignerStage();
  const nonces = [1, 2, 3].map((withdrawal) => {
    stage.ask({ ...stage.pay({ withdrawal: 9 }), statements: [] });
    return (stage.ask(stage.pay({ withdrawal })) as SignedAnswer).payment.slot.nonce;
  });
  assert.deepEqual(nonces, [0, 1, 2]);
});

test('a higher fee gets a new version in the same slot, without a statement', () => {
  const stage = new SignerStage();
  const request = stage.pay({ withdrawal: 1 });
  const first = stage.ask(request) as SignedAnswer;
  const again = { ...request, statements: [], fee: feeOf(33) };
  const second = stage.ask(again) as SignedAnswer;
  assert.deepEqual(second.payment.slot, first.payment.slot);
  assert.equal(second.payment.versions.length, 2);
  assert.notEqual(second.version.raw, first.version.raw);
});

test('a withdrawal in another payment is answered with that payment', () => {
  const stage = new SignerStage();
  const { payment } = stage.ask(stage.pay({ withdrawal: 1 })) as SignedAnswer;
  const answer = stage.ask(stage.pay({ withdrawal: 1, payment: uuid(99) })) as AdoptAnswer;
  assert.deepEqual(answer, { kind: 'adopt', payment });
  const known = stage.ask({ kind: 'known', payments: [], withdrawals: [1, 2] }) as KnownAnswer;
  assert.deepEqual(known, { kind: 'known', payments: [payment], renounced: [] });
});

type Change = (request: SignRequest, stage: SignerStage) => unknown;

const part = (request: SignRequest) =>
  request.intent.kind === 'pay' ? request.intent.parts[0] : {};
const withIntent = (request: SignRequest, fields: object) => ({
  ...request,
  intent: { ...request.intent, ...fields },
});
const withPart = (request: SignRequest, fields: object) =>
  withIntent(request, { parts: [{ ...part(request), ...fields }] });

/** Changes of a request that would be signed without them. */
const REJECTED: [string, (typeof SIGNER_REFUSALS)[number], Change][] = [
  ['an unknown field', 'request_must_be_valid', (request) => ({ ...request, to: ALICE })],
  ['bytes to sign', 'request_must_be_valid', (request) => withIntent(request, { kind: 'raw' })],
  ['an ID that is not a UUID', 'request_must_be_valid', (r) => ({ ...r, payment: '1' })],
  ['a fraction of a unit', 'request_must_be_valid', (r) => withPart(r, { units: '1.5' })],
  ['another network', 'network_must_be_in_policy', (r) => withIntent(r, { network: 'bnb' })],
  ['another asset', 'coin_must_be_in_policy', (r) => withIntent(r, { asset: 9 })],
  [
    'two withdrawals',
    'intent_must_be_supported',
    (r) => withIntent(r, { parts: [part(r), part(r)] }),
  ],
  ['nothing to pay', 'amount_must_be_positive', (r) => withPart(r, { units: '0' })],
  ['no statement', 'statement_must_be_given', (r) => ({ ...r, statements: [] })],
  [
    'a statement by another key',
    'statement_must_be_signed_by_witness',
    (r, stage) => ({
      ...r,
      statements: [stage.statement({ withdrawal: 1 }, createApproverKey().privateKey)],
    }),
  ],
  [
    'a statement that was changed',
    'statement_must_be_signed_by_witness',
    (r) => ({ ...r, statements: [{ ...r.statements[0], atoms: '100000001' }] }),
  ],
  [
    'a larger amount than the hold',
    'statement_must_match_withdrawal',
    (r) => withPart(r, { units: '1000000010000000000' }),
  ],
  [
    'a part of an atom',
    'statement_must_match_withdrawal',
    (r) => withPart(r, { units: '1000000000000000001' }),
  ],
  [
    'a statement about another withdrawal',
    'statement_must_match_withdrawal',
    (r, stage) => ({ ...r, statements: [stage.statement({ withdrawal: 2 })] }),
  ],
  [
    'a statement of eleven minutes ago',
    'statement_must_be_recent',
    (r, stage) => {
      stage.nowMs += 11 * 60_000;
      return r;
    },
  ],
  [
    'a statement from the future',
    'statement_must_be_recent',
    (r, stage) => {
      stage.nowMs -= 2 * 60_000;
      return r;
    },
  ],
  [
    'another destination',
    'destination_must_match_statement',
    (r) => withPart(r, { destination: COLD_FOR_TEST }),
  ],
  [
    'a destination with a wrong checksum',
    'destination_must_be_valid',
    (_, stage) => stage.pay({ withdrawal: 1, destination: ALICE.replace('5aA', '5aa') }),
  ],
  [
    'the hot wallet',
    'destination_must_not_be_own_address',
    (_, stage) => stage.pay({ withdrawal: 1, destination: stage.keys.addressOf('hot') }),
  ],
  [
    'a cold wallet',
    'destination_must_not_be_own_address',
    (_, stage) => stage.pay({ withdrawal: 1, destination: COLD_FOR_TEST }),
  ],
  [
    'the contract of a coin',
    'destination_must_not_be_own_address',
    (_, stage) => stage.pay({ withdrawal: 1, destination: TOKEN_FOR_TEST }),
  ],
  ['a fee above the ceiling', 'fee_must_be_within_policy', (r) => ({ ...r, fee: feeOf(201) })],
  ['more gas than a transfer', 'fee_must_be_within_policy', (r) => ({ ...r, fee: feeOf(1, 2e6) })],
  [
    'a tip above the fee',
    'fee_must_be_within_policy',
    (r) => ({ ...r, fee: { ...r.fee, maxFeePerGas: '1' } }),
  ],
  [
    'an unknown slot to replace',
    'slot_must_be_spent',
    (r) => ({ ...r, instead: { payment: uuid(5), txid: TXID } }),
  ],
];

for (const [name, expected, change] of REJECTED) {
  test(`${name} is rejected, and takes no slot`, () => {
    const stage = new SignerStage();
    const before = stage.journal.head;
    assert.equal(stage.outcome(change(stage.pay({ withdrawal: 1 }), stage)), expected);
    assert.deepEqual(stage.journal.head, before);
  });
}

test('a statement of an earlier frame is rejected', () => {
  const stage = new SignerStage();
  assert.equal(stage.outcome(stage.pay({ withdrawal: 1, frame: 50 })), 'signed');
  assert.equal(
    stage.outcome(stage.pay({ withdrawal: 2, frame: 49 })),
    'statement_frame_must_not_go_back',
  );
  assert.equal(stage.outcome(stage.pay({ withdrawal: 2, frame: 50 })), 'signed');
});

test('a payment never changes what it does', () => {
  const stage = new SignerStage();
  const request = stage.pay({ withdrawal: 1 });
  stage.ask(request);
  const other = { ...stage.pay({ withdrawal: 2 }), payment: request.payment };
  assert.equal(stage.outcome(other), 'payment_must_not_change');
  const raised = { ...request, fee: feeOf(32) };
  assert.equal(stage.outcome(raised), 'fee_must_be_raised');
});

test('a raise of one field only is rejected', () => {
  const stage = new SignerStage();
  const request = stage.pay({ withdrawal: 1 });
  stage.ask(request);
  const { maxPriorityFeePerGas } = request.fee;
  const raised = { ...feeOf(60), maxPriorityFeePerGas };
  assert.equal(stage.outcome({ ...request, fee: raised }), 'fee_must_be_raised');
});

test('fees of a day count the most expensive version of each slot once', () => {
  const stage = new SignerStage();
  // 0.21 ETH each, of 0.5 ETH per day.
  const fee = feeOf(200, 1_000_000);
  assert.equal(stage.outcome(stage.pay({ withdrawal: 1, fee: feeOf(100, 1_000_000) })), 'signed');
  assert.equal(stage.outcome(stage.pay({ withdrawal: 1, fee })), 'signed');
  assert.equal(stage.outcome(stage.pay({ withdrawal: 2, fee })), 'signed');
  const third = () => stage.outcome(stage.pay({ withdrawal: 3, fee }));
  assert.equal(third(), 'fees_of_day_must_be_within_policy');
  const status = stage.ask({ kind: 'status' }) as StatusAnswer;
  assert.deepEqual(status.feesOfToday, { eth: (4n * 10n ** 17n).toString() });
  stage.nowMs += 24 * HOUR_MS;
  assert.equal(third(), 'signed');
});

test('approvers sign the exact text, and one signature is not two', () => {
  const stage = new SignerStage();
  const request = stage.pay({ withdrawal: 4711, atoms: 5_000_000_000n });
  const needed = stage.ask(request) as ApprovalsNeededAnswer;
  assert.equal(needed.approvals, 2);
  assert.equal(
    needed.text,
    `rialto withdrawal 4711
exchange demo, policy 1
network eth
to ${ALICE}
send 50 eth (50000000000000000000 units)
not after 2026-12-02T12:00:00.000Z
`,
  );
  assert.equal(stage.outcome(stage.approved(request, ['a1'])), 'approvals_needed');
  const { approvals } = stage.approved(request, ['a1', 'a2']);
  const swapped = { a1: approvals.a2, a2: approvals.a1 };
  const { notAfterMs } = needed;
  assert.equal(
    stage.outcome({ ...request, approvals: swapped, notAfterMs }),
    'approval_must_be_valid',
  );
  assert.equal(stage.outcome(stage.approved(request, ['a1', 'a2'])), 'signed');
});

test('approvals expire, and are for one amount only', () => {
  const stage = new SignerStage();
  const request = stage.approved(stage.pay({ withdrawal: 1, atoms: 300_000_000n }), ['a1']);
  const larger = stage.pay({ withdrawal: 1, atoms: 300_000_001n });
  const { approvals, notAfterMs } = request;
  assert.equal(stage.outcome({ ...larger, approvals, notAfterMs }), 'approval_must_be_valid');
  stage.nowMs += 25 * HOUR_MS;
  const later = { ...stage.pay({ withdrawal: 1, atoms: 300_000_000n }), approvals, notAfterMs };
  assert.equal(stage.outcome(later), 'approvals_must_not_be_expired');
});

test('the windows of an hour and a day need an approver beyond their totals', () => {
  const stage = new SignerStage();
  let withdrawal = 0;
  const payOne = () => stage.outcome(stage.pay({ withdrawal: ++withdrawal, fee: feeOf(1) }));
  const hour = () => Array.from({ length: 6 }, payOne);
  const five = ['signed', 'signed', 'signed', 'signed', 'signed', 'approvals_needed'];
  for (let round = 0; round < 4; round++) {
    assert.deepEqual(hour(), five);
    stage.nowMs += HOUR_MS;
  }
  // 20 ETH left within a day.
  assert.equal(payOne(), 'approvals_needed');
  const approved = stage.approved(stage.pay({ withdrawal: 100, fee: feeOf(1) }), ['a1']);
  assert.equal(stage.outcome(approved), 'signed');
  stage.nowMs = START_MS + 24 * HOUR_MS;
  assert.deepEqual(hour(), five);
});

test('a clock that is set back reopens no window', () => {
  const stage = new SignerStage();
  for (const withdrawal of [1, 2, 3, 4, 5]) stage.ask(stage.pay({ withdrawal, fee: feeOf(1) }));
  stage.nowMs -= 48 * HOUR_MS;
  assert.equal(stage.outcome(stage.pay({ withdrawal: 6 })), 'approvals_needed');
  stage.restart();
  assert.equal(stage.outcome(stage.pay({ withdrawal: 6 })), 'approvals_needed');
});

test('the windows of two coins are separate', () => {
  const stage = new SignerStage();
  for (const withdrawal of [1, 2, 3, 4, 5]) stage.ask(stage.pay({ withdrawal, fee: feeOf(1) }));
  const token = stage.pay({ withdrawal: 6, asset: USDT, atoms: 1_000_000n, fee: feeOf(1) });
  assert.equal(stage.outcome(token), 'signed');
});

test('a renounced withdrawal is never signed, and a signed one is not renounced', () => {
  const stage = new SignerStage();
  const renounce = (withdrawal: number) => ({ kind: 'renounce', withdrawal, approvals: {} });
  const answer = stage.ask(renounce(1)) as RenouncedAnswer;
  assert.equal(answer.text, 'rialto renounces withdrawal 1\nexchange demo\n');
  assert.deepEqual(stage.ask(renounce(1)), answer);
  stage.restart();
  assert.equal(stage.outcome(stage.pay({ withdrawal: 1 })), 'withdrawal_must_not_be_renounced');
  stage.ask(stage.pay({ withdrawal: 2 }));
  assert.equal(stage.outcome(renounce(2)), 'withdrawal_must_not_be_signed');
});

test('a signed withdrawal is renounced by the quorum that names the spent slot', () => {
  const stage = new SignerStage();
  stage.ask(stage.pay({ withdrawal: 1 }));
  const renounce = { kind: 'renounce', withdrawal: 1, approvals: {} } as const;
  const other = { ...renounce, spent: { payment: uuid(2), txid: TXID } };
  assert.equal(stage.outcome(other), 'slot_must_be_spent');
  const request = { ...renounce, spent: { payment: uuid(1), txid: TXID } };
  assert.equal(stage.outcome(stage.approved(request, ['a1'])), 'approvals_needed');
  assert.equal(stage.outcome(stage.approved(request, ['a1', 'a2'])), 'renounced');
});

test('a second slot for a withdrawal needs the quorum', () => {
  const stage = new SignerStage();
  stage.ask(stage.pay({ withdrawal: 1 }));
  const again = {
    ...stage.pay({ withdrawal: 1, payment: uuid(2) }),
    instead: { payment: uuid(1), txid: TXID },
  };
  const needed = stage.ask(again) as ApprovalsNeededAnswer;
  assert.ok(needed.text.includes(`slot of payment ${uuid(1)} was spent by ${TXID}`));
  assert.equal(stage.outcome(stage.approved(again, ['a1'])), 'approvals_needed');
  const signed = stage.ask(stage.approved(again, ['a1', 'a2'])) as SignedAnswer;
  assert.equal(signed.payment.slot.nonce, 1);
  const third = { ...again, payment: uuid(3) };
  assert.equal(stage.outcome(third), 'slot_must_be_spent');
});

test('a void spends the slot of its payment, which then gets no other version', () => {
  const stage = new SignerStage();
  const request = stage.pay({ withdrawal: 1 });
  const { payment } = stage.ask(request) as SignedAnswer;
  const base = { ...request, statements: [], payment: uuid(50) };
  const voiding = (fee = feeOf(40), of = payment.id) => ({
    ...base,
    fee,
    intent: { kind: 'void', network: 'eth', asset: ETH, of },
  });
  assert.equal(stage.outcome(voiding(feeOf(31))), 'fee_must_be_raised');
  assert.equal(stage.outcome(voiding(feeOf(40), uuid(77))), 'payment_must_be_known');
  const voided = stage.ask(voiding()) as SignedAnswer;
  assert.deepEqual(voided.payment.slot, payment.slot);
  assert.equal(stage.outcome({ ...request, fee: feeOf(60) }), 'payment_must_not_change');
  assert.equal(stage.outcome({ ...voiding(), payment: uuid(51) }), 'adopt');
  assert.equal(stage.outcome(voiding(feeOf(60))), 'signed');
});

test('sweeps, top-ups and surplus go to addresses of the exchange only', () => {
  const stage = new SignerStage();
  const sign = (intent: object, number: number, fee = feeOf(1)) =>
    stage.ask({
      kind: 'sign',
      payment: uuid(number),
      intent: { network: 'eth', asset: ETH, units: '1000', ...intent },
      fee,
      statements: [],
      approvals: {},
    });
  const swept = sign({ kind: 'sweep', user: 7, to: 'hot' }, 1) as SignedAnswer;
  assert.equal(swept.payment.slot.from, stage.keys.addressOf({ user: 7 }));
  assert.equal(sign({ kind: 'sweep', user: 7, to: 0 }, 2).kind, 'signed');
  const missing = sign({ kind: 'surplus', cold: 1 }, 3) as RefusedAnswer;
  assert.equal(missing.refusal, 'cold_address_must_be_in_policy');
  assert.equal(sign({ kind: 'surplus', cold: 0 }, 4).kind, 'signed');
  assert.equal(sign({ kind: 'top_up', user: 7 }, 5).kind, 'signed');
  const token = sign({ kind: 'top_up', user: 7, asset: USDT }, 6) as RefusedAnswer;
  assert.equal(token.refusal, 'intent_must_be_supported');
});

test('an approver stops the signer, and only the quorum ends the stop with a new policy', () => {
  const stage = new SignerStage();
  const signature = signText(stopText('demo', 1), KEYS_FOR_TEST.a1.privateKey);
  const forged = { kind: 'stop', approver: 'a2', signature };
  assert.equal(stage.outcome(forged), 'approval_must_be_valid');
  assert.equal(stage.outcome({ kind: 'stop', approver: 'a1', signature }), 'stopped');
  stage.restart();
  assert.equal(stage.outcome(stage.pay({ withdrawal: 1 })), 'signer_must_not_be_stopped');
  const policy = (version: number, by: readonly ('a1' | 'a2')[] = ['a1', 'a2']) => ({
    kind: 'policy',
    file: signedForTest({ ...stage.document, version }, by),
  });
  assert.equal(stage.outcome(policy(2, ['a1'])), 'policy_must_be_signed_by_quorum');
  assert.equal(stage.outcome(policy(3)), 'policy_must_be_next_version');
  assert.equal(stage.outcome(policy(2)), 'policy');
  assert.equal(stage.outcome(stage.pay({ withdrawal: 1 })), 'signed');
  // The first stop's signature is for the earlier version.
  assert.equal(
    stage.outcome({ kind: 'stop', approver: 'a1', signature }),
    'approval_must_be_valid',
  );
});

test('a policy for another hot wallet is rejected', () => {
  const stage = new SignerStage();
  const { eth } = stage.document.networks;
  const payments = { ...eth.payments, hot: ALICE.toLowerCase() };
  const networks = { eth: { ...eth, payments } };
  const file = signedForTest({ ...stage.document, version: 2, networks });
  assert.equal(stage.outcome({ kind: 'policy', file }), 'policy_must_match_seed');
});

test('nothing is signed after the policy expired', () => {
  const stage = new SignerStage((document) => void (document.validUntil = '2026-12-01'));
  assert.equal(stage.outcome(stage.pay({ withdrawal: 1 })), 'signed');
  stage.nowMs += 24 * HOUR_MS;
  assert.equal(stage.outcome(stage.pay({ withdrawal: 2 })), 'policy_must_be_valid');
});

test('a new policy does not change what a known payment does', () => {
  const stage = new SignerStage();
  const request = stage.pay({ withdrawal: 1, asset: USDT, atoms: 1_000_000n });
  stage.ask(request);
  const [eth, usdt] = stage.document.coins;
  const moved = { ...usdt, contract: `0x${'ee'.repeat(20)}` };
  const file = signedForTest({ ...stage.document, version: 2, coins: [eth, moved] });
  assert.equal(stage.outcome({ kind: 'policy', file }), 'policy');
  const { version } = stage.ask({ ...request, fee: feeOf(60) }) as SignedAnswer;
  assert.ok(version.raw.includes(TOKEN_FOR_TEST.slice(2)));
});

test('nothing is signed before the payer has shown its copy of the journal', () => {
  const stage = new SignerStage();
  stage.ask(stage.pay({ withdrawal: 1 }));
  stage.connectAgain();
  assert.equal(stage.outcome(stage.pay({ withdrawal: 2 })), 'journal_copy_must_be_checked');
  const { entry, hash } = stage.journal.head;
  const newer = { kind: 'status', copy: { entry: entry + 1, hash } };
  assert.equal(stage.outcome(newer), 'journal_must_not_be_behind_its_copy');
  const other = { kind: 'status', copy: { entry, hash: 'ab'.repeat(32) } };
  assert.equal(stage.outcome(other), 'journal_must_not_be_behind_its_copy');
  assert.equal(stage.outcome(stage.pay({ withdrawal: 2 })), 'journal_copy_must_be_checked');
  assert.equal(stage.outcome({ kind: 'status', copy: { entry: 0, hash: '' } }), 'status');
  assert.equal(stage.outcome(stage.pay({ withdrawal: 2 })), 'signed');
});
