// Whether this Node computes what the program says. Node 25 and 26 miscompile a number that a
// closure and the loop around it both change: an update is lost, and nothing is thrown. An engine
// whose state is a function of its log must not run there. See docs/decisions/0033-runtime.md.

const RECORDS = 70_000;
const RECORD_BYTES = 41;

/**
 * Reads records of equal length, as a decoder does. A right runtime always ends a record at the
 * right byte. A wrong one does not in the first call of each process, and rarely in later ones:
 * call it before anything else.
 */
export function computesRight(): boolean {
  const bytes = new Uint8Array(RECORDS * RECORD_BYTES);
  let at = 0;
  const readLength = () => {
    const length = bytes[at++];
    if (length < 253) return length;
    at += 2;
    return 7;
  };
  for (let record = 0; record < RECORDS; record++) {
    const start = at;
    at += 36;
    const length = readLength();
    at += length + 4;
    if (at !== start + RECORD_BYTES) return false;
  }
  return true;
}

/** No restart helps, as with a wrong configuration. */
export const EXIT_WRONG_RUNTIME = 78;

/** The sentence for an operator whose Node computes wrong. */
export const WRONG_RUNTIME =
  `Node ${process.version} computes wrong results on this machine. ` +
  'Use the Node that `npm ci` installs (docs/decisions/0033-runtime.md).';
