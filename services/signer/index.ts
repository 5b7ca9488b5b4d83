// Signer: what the command line needs to create its folder. The process starts in main.ts.

export { readPassphrases } from './key-file.ts';
export { createSignerFolder, rebuildSignerFolder } from './signer-folder.ts';
export { SignerKeys } from './signer-keys.ts';
