// The cause of a deposit: the output of a transaction, for an asset. A cause is credited once,
// permanently. It is compared as one text, so another spelling of a transaction is the same cause.
// Neither the network nor the address is part of it: a transaction happens in one network, and an
// output has one address.

export interface CauseParts {
  /** The ID that the chain or the bank gave the transaction, or the URL of an explorer. */
  readonly transactionId: string;
  /** The position of the payment in its transaction, in digits; 0 if it is not named. */
  readonly output?: string | undefined;
}

/** `/transaction/output`. A migration writes the same text for rows of older releases. */
export function causeOf({ output = '', transactionId }: CauseParts): string {
  return `/${plainTransaction(transactionId)}/${plainOutput(output)}`;
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

/** SQL for a cause without its output, as the index on it is written. */
export const TRANSACTION_OF_CAUSE = `regexp_replace(cause, '[^/]*$', '')`;

/** Whether anything of the text is left in a cause. */
export function namesTransaction(transactionId: string): boolean {
  return plainTransaction(transactionId) !== '';
}

/**
 * 32 bytes are one ID in hexadecimal, with or without `0x`, and in Base64. They, and long IDs of
 * other networks, are found within a URL and before the number of an output (`#0`, `/0`, `:0`).
 * IDs of some chains distinguish the case of letters. No two of them differ only in it.
 */
function plainTransaction(given: string): string {
  const text = given.normalize('NFKC').replace(ESCAPED, decodeURIComponent);
  // Blanks separate an ID from what follows it, or are within it.
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

/** Standard Base64 contains slashes: those of a path are around it. */
function hashInBase64(text: string): string | undefined {
  for (const piece of text.split(/[#?&:|,;]+/)) {
    const base64 = HASH_IN_BASE64.exec(visibleOf(piece))?.[1];
    if (base64 !== undefined) return Buffer.from(base64, 'base64').toString('hex');
  }
  return undefined;
}

// Any other spelling of a number would be another cause of the same payment.
function plainOutput(given: string): string {
  const output = visibleOf(given);
  if (!DIGITS.test(output)) throw new RangeError(`output ${output} is not a number in digits`);
  return output.replace(LEADING_ZEROS, '') || '0';
}

/** Without blanks and invisible characters; compatible characters are one. */
function visibleOf(given: string): string {
  return given.normalize('NFKC').replace(INVISIBLE, '');
}

const INVISIBLE = /[\s\p{C}]/gu;
const DIGITS = /^[0-9]*$/;
const LEADING_ZEROS = /^0+(?=[0-9])/;
/** Of Base64, in URLs. */
const ESCAPED = /%(?:2b|2f|3d)/gi;
const HOST = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/]*/i;
const HASH = /(?<![0-9a-z])(?:0x)?([0-9a-f]{64})(?![0-9a-z])/g;
/** Base58 and Base32, as Solana and Algorand show their transactions. */
const LONG_ID = /(?<![0-9a-z])([0-9a-z]{40,})(?![0-9a-z])/g;
/** 32 bytes, as TON shows its transactions. The last character has only four bits. */
const HASH_IN_BASE64 = /(?:^|\/)([A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048])=?(?=\/|$)/;
