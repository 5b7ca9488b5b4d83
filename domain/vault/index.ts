// The vault: seals and opens secrets and personal data with keys that are never in the database.

export {
  addKeyToFile,
  type KeyFileSource,
  readKeyFile,
} from './key-file.ts';
export {
  KEK_POLL_MS,
  type Kek,
  type KekState,
  type OpenedVault,
  openVault,
  readKeks,
} from './open-vault.ts';
export {
  fingerprintOf,
  openWith,
  type Sealed,
  SealFault,
  sealWith,
  Vault,
} from './vault.ts';
