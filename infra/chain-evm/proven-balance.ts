// The native balance of an account, from a proof against the state root of a verified block.

import { RLP } from '@ethereumjs/rlp';
import { addressIn, bytesIn } from './bytes.ts';
import { NodeFault } from './faults.ts';
import { provenValue } from './trie.ts';

/** Nonce, balance, storage root and code hash. */
const ACCOUNT_FIELDS = 4;

/** Returns 0 if the proof shows that the account does not exist; throws if it proves nothing. */
export function provenBalance(
  stateRoot: Uint8Array,
  address: string,
  proof: readonly Uint8Array[],
): bigint {
  const account = provenValue(stateRoot, bytesIn(addressIn(address)), proof);
  if (account === undefined) return 0n;
  const fields = RLP.decode(account);
  if (!Array.isArray(fields) || fields.length !== ACCOUNT_FIELDS) {
    throw new NodeFault('the proof ends with something that is not an account');
  }
  const [, balance] = fields;
  if (!(balance instanceof Uint8Array)) throw new NodeFault('the proof has no balance');
  return balance.length === 0 ? 0n : BigInt(`0x${Buffer.from(balance).toString('hex')}`);
}
