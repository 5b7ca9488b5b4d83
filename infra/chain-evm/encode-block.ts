// The encodings whose hashes a block commits to: header, transactions and receipts, from the JSON
// of a node. A field that is missing or of another form throws.

import { type Input, RLP } from '@ethereumjs/rlp';
import { bytesIn, listIn, numberIn, quantityBytes, quantityText, recordIn } from './bytes.ts';
import { NodeFault } from './faults.ts';

type Fields = Readonly<Record<string, unknown>>;

const HASH = 32;
const ADDRESS = 20;
const BLOOM = 256;
const NONCE = 8;

/** Fields of forks, in the order in which the forks added them. */
const LATER_FIELDS: readonly (readonly [name: string, encode: (value: unknown) => Uint8Array])[] = [
  ['baseFeePerGas', quantityBytes],
  ['withdrawalsRoot', (value) => bytesIn(value, HASH)],
  ['blobGasUsed', quantityBytes],
  ['excessBlobGas', quantityBytes],
  ['parentBeaconBlockRoot', (value) => bytesIn(value, HASH)],
  ['requestsHash', (value) => bytesIn(value, HASH)],
];

export function encodeHeader(block: Fields): Uint8Array {
  const later = LATER_FIELDS.filter(([name]) => block[name] !== undefined && block[name] !== null);
  return RLP.encode([
    bytesIn(block.parentHash, HASH),
    bytesIn(block.sha3Uncles, HASH),
    bytesIn(block.miner, ADDRESS),
    bytesIn(block.stateRoot, HASH),
    bytesIn(block.transactionsRoot, HASH),
    bytesIn(block.receiptsRoot, HASH),
    bytesIn(block.logsBloom, BLOOM),
    quantityBytes(block.difficulty),
    quantityBytes(block.number),
    quantityBytes(block.gasLimit),
    quantityBytes(block.gasUsed),
    quantityBytes(block.timestamp),
    bytesIn(block.extraData),
    bytesIn(block.mixHash, HASH),
    bytesIn(block.nonce, NONCE),
    ...later.map(([name, encode]) => encode(block[name])),
  ]);
}

export function encodeTransaction(found: unknown): Uint8Array {
  const transaction = recordIn(found);
  const type = typeOf(transaction);
  const fields = fieldsOf(transaction, type);
  return type === 0 ? RLP.encode(fields) : typed(type, fields);
}

function fieldsOf(transaction: Fields, type: number): Input[] {
  const { gas, input, nonce, r, s, to, value } = transaction;
  const target = to === null || to === undefined ? new Uint8Array() : bytesIn(to, ADDRESS);
  const shared = [quantityBytes(gas), target, quantityBytes(value), bytesIn(input)];
  const rs = [quantityBytes(r), quantityBytes(s)];
  if (type === 0) {
    const price = quantityBytes(transaction.gasPrice);
    return [quantityBytes(nonce), price, ...shared, quantityBytes(transaction.v), ...rs];
  }
  const fees =
    type === 1
      ? [quantityBytes(transaction.gasPrice)]
      : [quantityBytes(transaction.maxPriorityFeePerGas), quantityBytes(transaction.maxFeePerGas)];
  const accessList = listIn(transaction.accessList).map(encodeAccess);
  return [
    quantityBytes(transaction.chainId),
    quantityBytes(nonce),
    ...fees,
    ...shared,
    accessList,
    ...laterFieldsOf(transaction, type),
    parityOf(transaction),
    ...rs,
  ];
}

/** Fields of blob transactions (3) and of transactions with delegations (4). */
function laterFieldsOf(transaction: Fields, type: number): Input[] {
  if (type === 3) {
    const hashes = listIn(transaction.blobVersionedHashes).map((hash) => bytesIn(hash, HASH));
    return [quantityBytes(transaction.maxFeePerBlobGas), hashes];
  }
  if (type === 4) return [listIn(transaction.authorizationList).map(encodeAuthorization)];
  return [];
}

function encodeAccess(found: unknown): Input {
  const { address, storageKeys } = recordIn(found);
  return [bytesIn(address, ADDRESS), listIn(storageKeys).map((key) => bytesIn(key, HASH))];
}

function encodeAuthorization(found: unknown): Input {
  const authorization = recordIn(found);
  const { address, chainId, nonce, r, s } = authorization;
  return [
    quantityBytes(chainId),
    bytesIn(address, ADDRESS),
    quantityBytes(nonce),
    parityOf(authorization),
    quantityBytes(r),
    quantityBytes(s),
  ];
}

/** Older nodes name only `v`, which has the same value for typed transactions. */
function parityOf({ v, yParity }: Fields): Uint8Array {
  return quantityBytes(yParity ?? v);
}

export function encodeReceipt(found: unknown): Uint8Array {
  const receipt = recordIn(found);
  const type = typeOf(receipt);
  const { cumulativeGasUsed, logs, logsBloom, root, status } = receipt;
  const outcome =
    status === undefined || status === null ? bytesIn(root, HASH) : quantityBytes(status);
  const fields = [
    outcome,
    quantityBytes(cumulativeGasUsed),
    bytesIn(logsBloom, BLOOM),
    listIn(logs).map(encodeLog),
  ];
  return type === 0 ? RLP.encode(fields) : typed(type, fields);
}

function encodeLog(found: unknown): Input {
  const { address, data, topics } = recordIn(found);
  return [
    bytesIn(address, ADDRESS),
    listIn(topics).map((topic) => bytesIn(topic, HASH)),
    bytesIn(data),
  ];
}

function typeOf({ type }: Fields): number {
  const number = type === undefined ? 0 : numberIn(type);
  if (number > 4) throw new NodeFault(`unknown transaction type ${quantityText(number)}`);
  return number;
}

function typed(type: number, fields: Input): Uint8Array {
  return Buffer.concat([Uint8Array.of(type), RLP.encode(fields)]);
}
