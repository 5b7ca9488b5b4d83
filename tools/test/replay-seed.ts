// Preloaded into every test file by main.ts if RIALTO_SEED is set. Every fast-check property then
// draws its cases from that seed, like the run that printed it.

import fc from 'fast-check';

const seed = Number(process.env.RIALTO_SEED);
if (!Number.isSafeInteger(seed)) throw new RangeError('RIALTO_SEED is not an integer');
fc.configureGlobal({ seed });
