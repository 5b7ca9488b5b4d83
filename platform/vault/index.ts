// The vault: seals and opens secrets and personal data with keys that are never in the database.

export { addKeyToFile, readKeyFile } from './key-file.ts';
export { KEK_POLL_MS, type Kek, type OpenedVault, openVault, readKeks } from './open-vault.ts';
export { openWith, type Sealed, SealFault, sealWith, Vault } from './vault.ts';
