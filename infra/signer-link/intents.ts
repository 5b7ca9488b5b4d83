// Intents, the only things that the signer signs: a purpose with its amounts, never the bytes of a
// transaction. The same for every family of chains; only slots and fees differ.

/** A whole number of the coin's smallest unit on the chain, in decimal digits. */
export type Units = string;

/** One withdrawal of a payment. */
export interface Part {
  readonly withdrawal: number;
  /** In the spelling of the request: the log has the hash of this text. */
  readonly destination: string;
  readonly units: Units;
}

interface IntentBase {
  readonly network: string;
  /** Asset ID in the custody file. */
  readonly asset: number;
}

/** Pays withdrawals from the hot wallet. EVM: exactly one part. */
export interface Pay extends IntentBase {
  readonly kind: 'pay';
  readonly parts: readonly Part[];
}

/** Moves coins from a user's deposit address to the hot wallet or to a cold address. EVM only. */
export interface Sweep extends IntentBase {
  readonly kind: 'sweep';
  readonly user: number;
  /** `hot`, or an index in the network's list of cold addresses. */
  readonly to: 'hot' | number;
  readonly units: Units;
}

/** Sends native coins from the hot wallet to a deposit address, for a sweep's fees. EVM only. */
export interface TopUp extends IntentBase {
  readonly kind: 'top_up';
  readonly user: number;
  readonly units: Units;
}

/** Sends what is above the ceiling of the hot wallet to a cold address. */
export interface Surplus extends IntentBase {
  readonly kind: 'surplus';
  /** Index in the network's list of cold addresses. */
  readonly cold: number;
  readonly units: Units;
}

/** Spends the slot of another payment for nothing. That payment can then never be mined. */
export interface VoidSlot extends IntentBase {
  readonly kind: 'void';
  /** ID of the payment whose slot is spent. */
  readonly of: string;
}

export type Intent = Pay | Sweep | TopUp | Surplus | VoidSlot;

/** A resource that the chain lets be spent only once. */
export interface EvmSlot {
  readonly family: 'evm';
  /** In lowercase. */
  readonly from: string;
  readonly nonce: number;
}

export type Slot = EvmSlot;

/** Gas, and units per gas. */
export interface EvmFee {
  readonly family: 'evm';
  readonly gas: number;
  readonly maxFeePerGas: Units;
  readonly maxPriorityFeePerGas: Units;
}

export type Fee = EvmFee;

/** One signed transaction of a payment. All versions spend the same slot. */
export interface Version {
  /** Number of its journal entry. */
  readonly entry: number;
  readonly txid: string;
  /** The signed transaction in hexadecimal with 0x, ready to broadcast. */
  readonly raw: string;
  readonly fee: Fee;
}

export interface Payment {
  /** UUID chosen by the payer. */
  readonly id: string;
  readonly intent: Intent;
  readonly slot: Slot;
  /** In the order of signing. Empty if the signer stopped between slot and signature. */
  readonly versions: readonly Version[];
}
