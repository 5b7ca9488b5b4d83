// Reads a request from the socket strictly: unknown fields, other types and numbers out of range
// are errors. A request that passes has the types of the protocol.

import { Fields } from '../../infra/custody-file/index.ts';
import type {
  Approvals,
  EvmFee,
  Head,
  Intent,
  Part,
  SignedStatement,
  SignerRequest,
  SignRequest,
  SpentSlot,
} from '../../infra/signer-link/index.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const TXID = /^0x[0-9a-f]{64}$/;
/** Below 2^256, which has 78 digits. */
const UNITS = /^(0|[1-9]\d{0,76})$/;
const NETWORK = /^[a-z0-9-]{1,40}$/;
const DESTINATION = /^[\x21-\x7e]{1,256}$/;
const SIGNATURE = /^[A-Za-z0-9_-]{86}$/;
const APPROVER = /^[a-zA-Z0-9_.-]{1,40}$/;
const POLICY = /^[\s\S]{1,65536}$/;

const IDS_MAX = 100;
const PARTS_MAX = 100;
const WITHDRAWAL_MAX = Number.MAX_SAFE_INTEGER;
/** Larger indexes are hardened. */
const USER_MAX = 2 ** 31 - 1;
/** Year 9999: later times have another form in a text. */
const TIME_MAX = 253_402_300_799_999;

/** Throws with the path, the expected form and the received value. */
export function readRequest(value: unknown): SignerRequest {
  const given = new Fields(value, '');
  const kind = given.text('kind', /^[a-z]{1,20}$/);
  const request = readKind(kind, given);
  given.end();
  return request;
}

function readKind(kind: string, given: Fields): SignerRequest {
  switch (kind) {
    case 'status': {
      const copy = given.optionalFields('copy');
      return copy === undefined ? { kind } : { kind, copy: headOf(copy) };
    }
    case 'sign':
      return signOf(given);
    case 'known':
      return {
        kind,
        payments: limited('payments', given.texts('payments', UUID)),
        withdrawals: limited('withdrawals', given.integers('withdrawals', 1, WITHDRAWAL_MAX)),
      };
    case 'journal':
      return { kind, after: given.integer('after', 0, Number.MAX_SAFE_INTEGER) };
    case 'renounce':
      return {
        kind,
        withdrawal: given.integer('withdrawal', 1, WITHDRAWAL_MAX),
        approvals: approvalsOf(given.fields('approvals')),
        ...notAfterOf(given),
        ...spentOf(given, 'spent'),
      };
    case 'policy':
      return { kind, file: given.text('file', POLICY) };
    case 'stop':
      return {
        kind,
        approver: given.text('approver', APPROVER),
        signature: given.text('signature', SIGNATURE),
      };
    default:
      throw new Error(`kind: unknown request ${kind}`);
  }
}

function signOf(given: Fields): SignRequest {
  return {
    kind: 'sign',
    payment: given.text('payment', UUID),
    intent: intentOf(given.fields('intent')),
    fee: feeOf(given.fields('fee')),
    statements: limited('statements', given.list('statements')).map(statementOf),
    approvals: approvalsOf(given.fields('approvals')),
    ...notAfterOf(given),
    ...spentOf(given, 'instead'),
  };
}

function intentOf(given: Fields): Intent {
  const kind = given.text('kind', /^(pay|sweep|top_up|surplus|void)$/) as Intent['kind'];
  const base = {
    network: given.text('network', NETWORK),
    asset: given.integer('asset', 1, Number.MAX_SAFE_INTEGER),
  };
  const intent = intentOfKind(kind, base, given);
  given.end();
  return intent;
}

function intentOfKind(
  kind: Intent['kind'],
  base: { readonly network: string; readonly asset: number },
  given: Fields,
): Intent {
  const user = () => given.integer('user', 1, USER_MAX);
  const units = () => given.text('units', UNITS);
  const cold = (name: string) => given.integer(name, 0, PARTS_MAX);
  switch (kind) {
    case 'pay':
      return { kind, ...base, parts: limited('parts', given.list('parts')).map(partOf) };
    case 'sweep': {
      const to = given.has('to', 'hot') ? given.text('to', /^hot$/) : undefined;
      return {
        kind,
        ...base,
        user: user(),
        to: to === undefined ? cold('to') : 'hot',
        units: units(),
      };
    }
    case 'top_up':
      return { kind, ...base, user: user(), units: units() };
    case 'surplus':
      return { kind, ...base, cold: cold('cold'), units: units() };
    case 'void':
      return { kind, ...base, of: given.text('of', UUID) };
  }
}

function partOf(given: Fields): Part {
  const part = {
    withdrawal: given.integer('withdrawal', 1, WITHDRAWAL_MAX),
    destination: given.text('destination', DESTINATION),
    units: given.text('units', UNITS),
  };
  given.end();
  return part;
}

function feeOf(given: Fields): EvmFee {
  const fee = {
    family: given.text('family', /^evm$/) as 'evm',
    gas: given.integer('gas', 0, Number.MAX_SAFE_INTEGER),
    maxFeePerGas: given.text('maxFeePerGas', UNITS),
    maxPriorityFeePerGas: given.text('maxPriorityFeePerGas', UNITS),
  };
  given.end();
  return fee;
}

function statementOf(given: Fields): SignedStatement {
  const statement = {
    withdrawal: given.integer('withdrawal', 1, WITHDRAWAL_MAX),
    asset: given.integer('asset', 1, Number.MAX_SAFE_INTEGER),
    atoms: given.text('atoms', UNITS),
    destination: given.text('destination', HASH),
    timeMs: given.integer('timeMs', 0, TIME_MAX),
    frame: given.integer('frame', 0, Number.MAX_SAFE_INTEGER),
    signature: given.text('signature', SIGNATURE),
  };
  given.end();
  return statement;
}

function headOf(given: Fields): Head {
  const entry = given.integer('entry', 0, Number.MAX_SAFE_INTEGER);
  const head = { entry, hash: given.text('hash', entry === 0 ? /^$/ : HASH) };
  given.end();
  return head;
}

function approvalsOf(given: Fields): Approvals {
  const approvals = given.strings();
  for (const [name, signature] of approvals) {
    if (APPROVER.test(name) && SIGNATURE.test(signature)) continue;
    throw new Error(`approvals.${name}: expected a name and a signature in Base64url`);
  }
  limited('approvals', [...approvals.keys()]);
  return Object.fromEntries(approvals);
}

function notAfterOf(given: Fields): { readonly notAfterMs?: number } {
  const notAfterMs = given.optionalInteger('notAfterMs', 0, TIME_MAX);
  return notAfterMs === undefined ? {} : { notAfterMs };
}

function spentOf<Name extends 'instead' | 'spent'>(
  given: Fields,
  name: Name,
): { readonly [Key in Name]?: SpentSlot } {
  const fields = given.optionalFields(name);
  if (fields === undefined) return {};
  const spent = { payment: fields.text('payment', UUID), txid: fields.text('txid', TXID) };
  fields.end();
  return { [name]: spent } as { readonly [Key in Name]?: SpentSlot };
}

function limited<Item>(name: string, items: Item[]): Item[] {
  if (items.length <= IDS_MAX) return items;
  throw new Error(`${name}: expected ${IDS_MAX} items or fewer, received ${items.length}`);
}
