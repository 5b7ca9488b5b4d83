// A thief has the payer's connection: thousands of hostile requests, made from valid ones by
// changing, exchanging and repeating their parts. An independent check of every signed transaction
// against the policy finds nothing outside it: an oracle that reads the bytes, not our answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { COLD_FOR_TEST, TOKEN_FOR_TEST } from '../../infra/custody-file/custody-file-for-test.ts';
import type { SignRequest } from '../../infra/signer-link/index.ts';
import { ALICE, ETH, feeOf, SEED_FOR_TEST, SignerStage, USDT, uuid } from './signer-for-test.ts';
import { SignerKeys } from './signer-keys.ts';

const KEYS = new SignerKeys(SEED_FOR_TEST);
const THIEF = `0x${'66'.repeat(20)}`;
const RUNS = 60;
const STEPS = 80;
const WINDOW_OF_HOUR = 5n * 10n ** 18n;
const DAY_FEES = 5n * 10n ** 17n;
const MAX_FEE = 200n * 10n ** 9n;
/** Amounts of the statements: one ETH, and three or one USDT. */
const STATED = [10n ** 18n, 3_000_000n, 1_000_000n];

interface Seen {
  readonly from: string;
  readonly nonce: number;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly maxFee: bigint;
  readonly feeUnits: bigint;
}

/** Decodes raw bytes with another recovery path than the one that signed them. */
function decode(raw: string): Seen {
  const bytes = Buffer.from(raw.slice(2), 'hex');
  assert.equal(bytes[0], 2);
  const fields = RLP.decode(bytes.subarray(1)) as Uint8Array[];
  const [chainId, nonce, , maxFee, gas, to, value, data, , parity, r, s] = fields;
  const digest = keccak_256(Buffer.concat([Buffer.of(2), RLP.encode(fields.slice(0, 9))]));
  const signature = new secp256k1.Signature(number(r), number(s)).addRecoveryBit(
    Number(number(parity)),
  );
  const point = signature.recoverPublicKey(digest).toBytes(false);
  assert.equal(number(chainId), 31_337n);
  return {
    from: hex(keccak_256(point.subarray(1)).subarray(-20)),
    nonce: Number(number(nonce)),
    to: hex(to),
    value: number(value),
    data: hex(data),
    maxFee: number(maxFee),
    feeUnits: number(maxFee) * number(gas),
  };
}

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const number = (bytes: Uint8Array) => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);

/** Every value that the thief can put anywhere. */
function poisons(stage: SignerStage): readonly unknown[] {
  const other = stage.pay({ withdrawal: 2, destination: ALICE, asset: USDT, atoms: 1_000_000n });
  return [
    THIEF,
    ALICE,
    COLD_FOR_TEST,
    stage.keys.addressOf('hot'),
    TOKEN_FOR_TEST,
    'hot',
    'pay',
    'sweep',
    'surplus',
    'top_up',
    'void',
    'eth',
    '__proto__',
    'constructor',
    '',
    null,
    true,
    [],
    {},
    0,
    -1,
    1,
    2,
    3,
    4,
    1e21,
    2 ** 53,
    0.5,
    '0',
    '-1',
    '1000000000000000000',
    (2n ** 256n).toString(),
    uuid(1),
    uuid(2),
    uuid(3),
    other.intent,
    other.statements[0],
    other.statements,
    feeOf(1),
    feeOf(1_000),
    { payment: uuid(1), txid: `0x${'00'.repeat(32)}` },
    { a1: 'A'.repeat(86) },
  ];
}

/** Returns all paths to values inside a request. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]));
  return [path, ...inner];
}

function changed(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  if (Array.isArray(value)) {
    return value.map((one, at) => (String(at) === key ? changed(one, rest, to) : one));
  }
  const fields = value as Record<string, unknown>;
  return { ...fields, [key]: changed(fields[key], rest, to) };
}

type Kind = 'pay' | 'token' | 'sweep' | 'surplus' | 'top_up' | 'void' | 'renounce' | 'policy';
/** Half of the requests are payments, which is where a thief gains. */
const KINDS: Kind[] = [
  ...Array.from({ length: 8 }, (): Kind => 'pay'),
  'token',
  'sweep',
  'surplus',
  'top_up',
  'void',
  'void',
  'renounce',
  'policy',
];

/** Single changes of an otherwise valid payment that a thief would try first. */
const ATTACKS: [path: string[], to: unknown][] = [
  [['intent', 'parts', '0', 'destination'], THIEF],
  [['intent', 'parts', '0', 'units'], (11n * 10n ** 17n).toString()],
  [['intent', 'parts', '0', 'withdrawal'], 999],
  [['statements', '0', 'atoms'], '1000000000'],
  [['statements', '0', 'timeMs'], 0],
  [['payment'], uuid(999)],
  [['fee', 'gas'], 1_000_000],
  [['fee'], feeOf(5_000)],
  [['fee'], feeOf(200, 1_000_000)],
  [['instead'], { payment: uuid(1), txid: `0x${'00'.repeat(32)}` }],
];

const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  withdrawal: fc.integer({ min: 1, max: 20 }),
  gwei: fc.integer({ min: 1, max: 220 }),
  changes: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ path: fc.nat(), poison: fc.nat() }), { maxLength: 3 }),
    },
  ),
  attack: fc.option(fc.constantFrom(...ATTACKS), { freq: 2 }),
  // An hour never passes, so the windows are totals of the run.
  minutes: fc.integer({ min: -30, max: 0 }),
  restarts: fc.integer({ min: 0, max: 19 }),
});

function requestOf(stage: SignerStage, kind: Kind, withdrawal: number, gwei: number): unknown {
  const fee = feeOf(gwei, kind === 'token' ? 60_000 : 21_000);
  const pay = stage.pay({ withdrawal, fee });
  const own = (intent: object): unknown => ({
    ...pay,
    payment: uuid(100 + withdrawal),
    statements: [],
    intent: { network: 'eth', asset: ETH, units: '5000', ...intent },
  });
  switch (kind) {
    case 'pay':
      return pay;
    case 'token':
      return stage.pay({ withdrawal, fee, asset: USDT, atoms: 3_000_000n });
    case 'sweep':
      return own({ kind, user: withdrawal, to: withdrawal % 2 === 0 ? 'hot' : 0 });
    case 'surplus':
      return own({ kind, cold: 0 });
    case 'top_up':
      return own({ kind, user: withdrawal });
    case 'void':
      return {
        ...pay,
        payment: uuid(200 + withdrawal),
        statements: [],
        intent: { kind, network: 'eth', asset: ETH, of: pay.payment },
      };
    case 'renounce':
      return { kind, withdrawal, approvals: {} };
    case 'policy':
      return { kind, file: JSON.stringify({ document: stage.document, signatures: {} }) };
  }
}

test('no hostile request gets a signature outside the policy', () => {
  let requests = 0;
  let signed = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: STEPS, maxLength: STEPS }), (steps) => {
      const stage = new SignerStage();
      const poison = poisons(stage);
      const book = new Map<string, Seen[]>();
      const slots = new Map<number, string>();
      for (const { attack, changes, gwei, kind, minutes, restarts, withdrawal } of steps) {
        if (restarts === 0) stage.restart();
        stage.nowMs += minutes * 60_000;
        let request = requestOf(stage, kind, withdrawal, gwei);
        if (attack !== null && kind === 'pay') request = changed(request, ...attack);
        for (const { path, poison: at } of changes) {
          const paths = pathsOf(request);
          request = changed(request, paths[path % paths.length], poison[at % poison.length]);
        }
        requests += 1;
        const answer = stage.ask(request);
        if (answer.kind !== 'signed') continue;
        signed += 1;
        const seen = decode(answer.version.raw);
        const { intent } = request as SignRequest;
        checkPurpose(stage, seen, intent.kind);
        const slot = `${seen.from} ${seen.nonce}`;
        if (intent.kind === 'pay') {
          const [{ withdrawal: paid }] = intent.parts;
          assert.equal(slots.get(paid) ?? slot, slot, `withdrawal ${paid} has two slots`);
          slots.set(paid, slot);
        }
        book.set(slot, [...(book.get(slot) ?? []), seen]);
      }
      checkBook(stage, [...book.values()]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  assert.ok(requests === RUNS * STEPS && signed > 100, `${signed} of ${requests} signed`);
});

const USERS = Array.from({ length: 21 }, (_, user) => KEYS.addressOf({ user }));

/** Every destination is the one that the witness stated, or a wallet of the exchange. */
function checkPurpose(stage: SignerStage, seen: Seen, kind: string): void {
  const hot = stage.keys.addressOf('hot');
  const isToken = seen.to === TOKEN_FOR_TEST;
  const to = isToken ? `0x${seen.data.slice(34, 74)}` : seen.to;
  assert.ok(isToken ? seen.data.length === 138 && seen.value === 0n : seen.data === '0x');
  const allowed: Record<string, readonly string[]> = {
    pay: [ALICE.toLowerCase()],
    sweep: [hot, COLD_FOR_TEST],
    surplus: [COLD_FOR_TEST],
    top_up: USERS,
    void: [seen.from],
  };
  assert.ok(allowed[kind].includes(to), `${kind} to ${to}`);
  assert.ok(seen.maxFee <= MAX_FEE, `${seen.maxFee} per gas`);
  const units = isToken ? BigInt(`0x${seen.data.slice(74)}`) : seen.value;
  assert.ok(kind !== 'pay' || STATED.includes(units), `${units} paid`);
  assert.ok(kind === 'sweep' ? seen.from !== hot : seen.from === hot || kind === 'void');
}

/** One effect per slot, no gaps, and totals within the window and the fees of a day. */
function checkBook(stage: SignerStage, slots: readonly Seen[][]): void {
  const hot = stage.keys.addressOf('hot');
  const nonces = slots.filter(([{ from }]) => from === hot).map(([{ nonce }]) => nonce);
  nonces.sort((one, other) => one - other);
  assert.deepEqual(
    nonces,
    nonces.map((_, at) => at),
  );
  for (const versions of slots) {
    const effects = versions.filter(({ from, to }) => from !== to);
    assert.ok(new Set(effects.map(({ data, to, value }) => `${to} ${value} ${data}`)).size <= 1);
  }
  const alice = ALICE.toLowerCase();
  const paid = slots.flatMap((versions) => versions.filter(({ to }) => to === alice).slice(0, 1));
  assert.ok(paid.reduce((sum, { value }) => sum + value, 0n) <= WINDOW_OF_HOUR);
  const fees = slots.map((all) =>
    all.reduce((most, { feeUnits }) => (feeUnits > most ? feeUnits : most), 0n),
  );
  assert.ok(fees.reduce((sum, fee) => sum + fee, 0n) <= DAY_FEES);
}
