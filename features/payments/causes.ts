// Cause of a deposit: a transaction output, for an asset. A cause is credited only once,
// permanently. It is compared as one text, so another spelling of a transaction is the same cause.
// Neither the network nor the address is part of it, because a transaction happens in one network
// and an output has one address.

export interface CauseParts {
  /** Transaction ID from the chain or the bank, or an explorer URL. */
  readonly transactionId: string;
  /** Position of the payment in its transaction, in digits; 0 if not given. */
  readonly output?: string | undefined;
}

/** Returns `/transaction/output`. A migration writes the same text for rows of older releases. */
export function causeOf({ output = '', transactionId }: CauseParts): string {
  return `/${plainTransaction(transactionId)}/${plainOutput(output)}`;
}

/**
 * Cause of a credit known only from the log, which has the transaction but neither network nor
 * output. `position` distinguishes two such credits of one transaction.
 */
export function lostCauseOf(transactionId: string, position: string): string {
  return `${lostPrefixOf(transactionId)}${position}`;
}

/** Prefix of all lost causes of a transaction. No cause of a known network starts with it. */
export function lostPrefixOf(transactionId: string): string {
  return `*/${plainTransaction(transactionId)}/`;
}

export function isSameTransaction(one: string, other: string): boolean {
  return plainTransaction(one) === plainTransaction(other);
}

/** Returns the last part of a cause; empty for an empty text. */
export function outputOf(cause: string): string {
  return cause.slice(cause.lastIndexOf('/') + 1);
}

/** SQL for a cause without its output, matching the index. */
export const TRANSACTION_OF_CAUSE = `regexp_replace(cause, '[^/]*$', '')`;

/** Whether the text contains anything that a cause keeps. */
export function namesTransaction(transactionId: string): boolean {
  return plainTransaction(transactionId) !== '';
}

/**
 * 32 bytes are the same ID in hexadecimal, with or without `0x`, and in Base64. Such IDs, and long
 * IDs of other networks, are found in a URL and before an output number (`#0`, `/0`, `:0`). IDs on
 * some chains are case sensitive, but no two of them differ only in case.
 */
function plainTransaction(given: string): string {
  const text = given.normalize('NFKC').replace(ESCAPED, decodeURIComponent);
  // Spaces can follow an ID or be inside it.
  for (const whole of [text, visibleOf(text)].map(withoutHost)) {
    const hash = lastOf(whole.toLowerCase(), HASH) ?? hashInBase64(whole);
    if (hash !== undefined) return hash;
  }
  const visible = withoutHost(visibleOf(text)).toLowerCase();
  return lastOf(visible, LONG_ID) ?? visible;
}

function withoutHost(text: string): string {
  return text.replace(HOST, '') || text;
}

function lastOf(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[1];
}

/** Standard Base64 contains slashes, but the slashes of a path surround it. */
function hashInBase64(text: string): string | undefined {
  for (const piece of text.split(/[#?&:|,;]+/)) {
    const base64 = HASH_IN_BASE64.exec(visibleOf(piece))?.[1];
    if (base64 !== undefined) return Buffer.from(base64, 'base64').toString('hex');
  }
  return undefined;
}

// Any other spelling of the number would be another cause for the same payment.
function plainOutput(given: string): string {
  const output = visibleOf(given);
  if (!DIGITS.test(output)) throw new RangeError(`output ${output} is not a number in digits`);
  return output.replace(LEADING_ZEROS, '') || '0';
}

/** Removes spaces and invisible characters; compatible characters become one. */
function visibleOf(given: string): string {
  return given.normalize('NFKC').replace(INVISIBLE, '');
}

const INVISIBLE = /[\s\p{C}]/gu;
const DIGITS = /^[0-9]*$/;
const LEADING_ZEROS = /^0+(?=[0-9])/;
/** Base64 characters escaped in URLs. */
const ESCAPED = /%(?:2b|2f|3d)/gi;
const HOST = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/]*/i;
const HASH = /(?<![0-9a-z])(?:0x)?([0-9a-f]{64})(?![0-9a-z])/g;
/** Base58 and Base32, used by Solana and Algorand for transaction IDs. */
const LONG_ID = /(?<![0-9a-z])([0-9a-z]{40,})(?![0-9a-z])/g;
/** 32 bytes, used by TON for transaction IDs. The last character has only four bits. */
const HASH_IN_BASE64 = /(?:^|\/)([A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048])=?(?=\/|$)/;
