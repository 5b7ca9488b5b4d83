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
  /** The position of the payment in its transaction, in digits; 0 if nobody names one. */
  readonly output?: string | undefined;
}

/** `network/transaction/output`. A migration writes the same text for rows of older releases. */
export function causeOf({ kind, network, output = '', transactionId }: CauseParts): string {
  const chain = kind === 'mint' ? '' : plain(network ?? '');
  return `${chain}/${plainTransaction(transactionId)}/${plainOutput(output)}`;
}

/**
 * The cause of a credit that only the log remembers: it names the transaction, but neither network
 * nor output. `position` tells two such credits of one transaction apart.
 */
export function lostCauseOf(transactionId: string, position: string): string {
  return `${lostPrefixOf(transactionId)}${position}`;
}

/** How all lost causes of a transaction start. No cause of a known network starts like this. */
export function lostPrefixOf(transactionId: string): string {
  return `*/${plainTransaction(transactionId)}/`;
}

export function isSameTransaction(one: string, other: string): boolean {
  return plainTransaction(one) === plainTransaction(other);
}

/** The last part of a cause; of an empty text it is empty. */
export function outputOf(cause: string): string {
  return cause.slice(cause.lastIndexOf('/') + 1);
}

/** Whether anything of the text is left in a cause. */
export function namesTransaction(transactionId: string): boolean {
  return plainTransaction(transactionId) !== '';
}

// Ids of some chains distinguish the case of letters. No two of them differ only in it.
function plainTransaction(given: string): string {
  const visible = visibleOf(given);
  const base64 = visible.replaceAll('-', '+').replaceAll('_', '/');
  if (HASH_IN_BASE64.test(base64)) return Buffer.from(base64, 'base64').toString('hex');
  return visible.toLowerCase().replace(HASH_WITH_PREFIX, '$1');
}

// Any other spelling of a number would be another cause of the same payment.
function plainOutput(given: string): string {
  const output = visibleOf(given);
  if (!DIGITS.test(output)) throw new RangeError(`output ${output} is not a number in digits`);
  return output.replace(LEADING_ZEROS, '') || '0';
}

function plain(given: string): string {
  return visibleOf(given).toLowerCase();
}

/** Without blanks and invisible characters; compatible characters are one. */
function visibleOf(given: string): string {
  return given.normalize('NFKC').replace(INVISIBLE, '');
}

const INVISIBLE = /[\s\p{C}]/gu;
const DIGITS = /^[0-9]*$/;
const LEADING_ZEROS = /^0+(?=[0-9])/;
const HASH_WITH_PREFIX = /^0x([0-9a-f]{64})$/;
/** 32 bytes, as TON shows its transactions. The last character has only four bits. */
const HASH_IN_BASE64 = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?$/;
