// Custody file: networks, coins, limits, approvers and payment policy, signed by the approvers.
// Also derives addresses from its extended public keys.

export { AccountXpub } from './account-xpub.ts';
export { createApproverKey, isSignedBy, publicKeyOf, signText } from './approver-keys.ts';
export {
  type CustodyCoin,
  type CustodyFile,
  type CustodyNetwork,
  coinsOf,
  parseCustodyFile,
  parseDocument,
  parseNextCustodyFile,
  signedText,
} from './custody-file.ts';
export { evmAddressOf, parseEvmAddress } from './evm-address.ts';
export { Fields } from './json-fields.ts';
export type { ApproversFrom, NetworkPayments, PayLimits } from './payment-policy.ts';
