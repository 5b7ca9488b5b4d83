// Builds and signs EIP-1559 transactions from a call, a slot and a fee. Decides nothing.

import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { EvmFee, EvmSlot } from '../../infra/signer-link/index.ts';
import type { EvmCall } from './entries.ts';
import type { RecoverableSignature } from './signer-keys.ts';

const TYPE = 0x02;
const WORD_DIGITS = 64;
/** Selector of `transfer(address,uint256)`. */
const TRANSFER = 'a9059cbb';

export interface SignedTransaction {
  readonly txid: string;
  readonly raw: string;
}

export interface Unsigned {
  readonly call: EvmCall;
  readonly slot: EvmSlot;
  readonly fee: EvmFee;
}

/** Moves units of the native coin, or of a token. */
export function transferCall(
  chainId: number,
  contract: string | undefined,
  { to, units }: { readonly to: string; readonly units: bigint },
): EvmCall {
  if (contract === undefined) {
    return { family: 'evm', chainId, to, value: units.toString(), data: '0x' };
  }
  const [address, amount] = [to.slice(2), units.toString(16)].map((digits) =>
    digits.padStart(WORD_DIGITS, '0'),
  );
  return {
    family: 'evm',
    chainId,
    to: contract,
    value: '0',
    data: `0x${TRANSFER}${address}${amount}`,
  };
}

export function signTransaction(
  unsigned: Unsigned,
  signDigest: (digest: Uint8Array) => RecoverableSignature,
): SignedTransaction {
  const fields = fieldsOf(unsigned);
  const { r, recovery, s } = signDigest(keccak_256(encode(fields)));
  const raw = encode([...fields, bytesOf(BigInt(recovery)), bytesOf(r), bytesOf(s)]);
  return {
    txid: `0x${Buffer.from(keccak_256(raw)).toString('hex')}`,
    raw: `0x${Buffer.from(raw).toString('hex')}`,
  };
}

function fieldsOf({ call, fee, slot }: Unsigned) {
  return [
    bytesOf(BigInt(call.chainId)),
    bytesOf(BigInt(slot.nonce)),
    bytesOf(BigInt(fee.maxPriorityFeePerGas)),
    bytesOf(BigInt(fee.maxFeePerGas)),
    bytesOf(BigInt(fee.gas)),
    Buffer.from(call.to.slice(2), 'hex'),
    bytesOf(BigInt(call.value)),
    Buffer.from(call.data.slice(2), 'hex'),
    // No access list.
    [],
  ];
}

function encode(fields: readonly (Uint8Array | readonly never[])[]): Uint8Array {
  return Buffer.concat([Buffer.of(TYPE), RLP.encode([...fields] as Uint8Array[])]);
}

/** Big endian without leading zeros; 0 is empty. */
function bytesOf(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array();
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}
