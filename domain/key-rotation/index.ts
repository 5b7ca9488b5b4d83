// Rotation of key-encryption keys: add, activate, rewrap, retire. Knows every sealed column.

export {
  activateKek,
  addKek,
  type RotationRefusal,
  retireKek,
  rewrapToActiveKek,
} from './kek-states.ts';
export { countSealed, type RewrapResult } from './rewrap.ts';
export { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
