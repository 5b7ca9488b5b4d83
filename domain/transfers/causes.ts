// The cause of a deposit: the output of a transaction, in a network, for an asset. A cause is
// credited once, for ever. It is compared as one text, so that another spelling of a transaction or
// a network is the same cause. The address is not part of it: an output has only one.

export interface CauseParts {
  /** Mints have no chain: their network is only shown. */
  readonly kind: 'deposit' | 'mint';
  /** One of the coin's networks; null for a coin without networks. */
  readonly network: string | null;
  /** The id that the chain or the bank gave the transaction. */
  readonly transactionId: string;
  /** The position of the payment in its transaction; 0 if nobody names one. */
  readonly output?: string | undefined;
}

/** `network/transaction/output`. A migration writes the same text for rows of older releases. */
export function causeOf({ kind, network, output = '', transactionId }: CauseParts): string {
  const chain = kind === 'mint' ? '' : plain(network ?? '');
  return `${chain}/${plainTransaction(transactionId)}/${plainOutput(output)}`;
}

/** Whether anything of the text is left in a cause. */
export function namesTransaction(transactionId: string): boolean {
  return plainTransaction(transactionId) !== '';
}

// Ids of some chains distinguish the case of letters. No two of them differ only in it.
function plainTransaction(given: string): string {
  const base64 = given.trim().replaceAll('-', '+').replaceAll('_', '/');
  if (HASH_IN_BASE64.test(base64)) return Buffer.from(base64, 'base64').toString('hex');
  return plain(given).replace(HASH_WITH_PREFIX, '$1');
}

function plainOutput(given: string): string {
  return plain(given).replace(LEADING_ZEROS, '') || '0';
}

/** Lower case, without blanks and invisible characters; compatible characters are one. */
function plain(given: string): string {
  return given.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
}

const INVISIBLE = /[\s\p{C}]/gu;
const LEADING_ZEROS = /^0+(?=[0-9])/;
const HASH_WITH_PREFIX = /^0x([0-9a-f]{64})$/;
/** 32 bytes, as TON shows its transactions. The last character has only four bits. */
const HASH_IN_BASE64 = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?$/;
