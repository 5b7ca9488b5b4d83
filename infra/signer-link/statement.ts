// The witness's statement: a withdrawal is open in the log, for this amount to this destination.
// Ed25519 over an exact text, so nothing is left to the form of its JSON.

import { createHash } from 'node:crypto';

export interface Statement {
  /** ID of the withdrawal in the log. */
  readonly withdrawal: number;
  readonly asset: number;
  /** Without the fee of the exchange, in decimal digits. */
  readonly atoms: string;
  /** `destinationHash`, in hexadecimal. */
  readonly destination: string;
  /** When the witness signed it. */
  readonly timeMs: number;
  /** The last frame that the witness had applied. */
  readonly frame: number;
}

export interface SignedStatement extends Statement {
  /** Ed25519 over `statementText`, in Base64url. */
  readonly signature: string;
}

export function statementText(exchange: string, statement: Statement): string {
  const { asset, atoms, destination, frame, timeMs, withdrawal } = statement;
  return [
    'rialto withdrawal is open',
    `exchange ${exchange}`,
    `withdrawal ${withdrawal}`,
    `asset ${asset}`,
    `atoms ${atoms}`,
    `destination ${destination}`,
    `time ${new Date(timeMs).toISOString()}`,
    `frame ${frame}`,
    '',
  ].join('\n');
}

/**
 * The log has this instead of the address. The withdrawal ID salts it, so equal addresses have
 * different hashes.
 */
export function destinationHash(withdrawal: number, network: string, destination: string): string {
  const text = `rialto destination\n${withdrawal}\n${network}\n${destination}\n`;
  return createHash('sha256').update(text).digest('hex');
}
