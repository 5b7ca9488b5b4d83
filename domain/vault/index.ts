// The vault: seals and opens secrets and personal data with keys that are never in the database.

export { accessSettings, type KeyFileSource, readKeyFile } from './key-file.ts';
export { type Sealed, SealFault, Vault } from './vault.ts';
