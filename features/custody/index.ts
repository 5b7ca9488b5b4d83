// Custody: deposit addresses of the operator's own key, and verified deposits from chains. Never
// reads a chain and holds no private key.

export {
  type AddressOwner,
  custodyAddresses,
  evmAddressText,
  type FoundAddresses,
  findAddressOwners,
  isUnderCustody,
} from './addresses/address-owners.ts';
export { type NetworkStatus, readCustodyStatus } from './custody-status.ts';
export { atomsOfUnits } from './deposits/decide-deposit.ts';
export {
  type BlockName,
  type ChangedCoin,
  type Cursor,
  creditHeld,
  type FinalBlock,
  haltNetwork,
  type IncomingTransfer,
  type RecordContext,
  type Recorded,
  readCursor,
  recordFinalBlock,
  recordTip,
} from './deposits/final-block.ts';
export { type PendingTransfer, replacePending } from './deposits/pending-deposits.ts';
export { type OpenedCustody, openCustody } from './open-custody.ts';
export { readCustodyFile, requireAddresses } from './read-custody-file.ts';
