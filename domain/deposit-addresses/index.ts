// Deposit addresses: the port that issues them, and the manual mode.

export {
  type AddressIssuer,
  type AddressRefusal,
  createDepositAddress,
} from './deposit-addresses.ts';
export {
  addManualAddress,
  countFreeAddresses,
  findUserOfMemo,
  listManualAddresses,
  type ManualAddress,
  type ManualAddressRefusal,
  manualAddresses,
  removeManualAddress,
} from './manual-addresses.ts';
export { memoOf } from './memo.ts';
