// Deposit addresses: the port that issues them, and the manual mode.

export {
  type AddressIssuer,
  type AddressRefusal,
  createDepositAddress,
} from './deposit-addresses.ts';
export {
  addManualAddress,
  listManualAddresses,
  type ManualAddress,
  manualAddresses,
  removeManualAddress,
} from './manual-addresses.ts';
export { memoOf, userOfMemo } from './memo.ts';
