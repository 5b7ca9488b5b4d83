// Solves the exchange's captcha: finds a text whose SHA-256 starts with enough zero bits. Takes
// about a second, without user interaction.

const BATCH = 512;

/** Returns the `captcha` value for a challenge from `GET /v2/challenge`. */
export async function solveChallenge(challenge: string, difficulty: number): Promise<string> {
  const encoder = new TextEncoder();
  for (let first = 0; ; first += BATCH) {
    const texts = Array.from({ length: BATCH }, (_, at) => `${challenge}:${first + at}`);
    const hashes = await Promise.all(
      texts.map((text) => crypto.subtle.digest('SHA-256', encoder.encode(text))),
    );
    const found = hashes.findIndex((hash) => zeroBits(new Uint8Array(hash)) >= difficulty);
    if (found >= 0) return texts[found];
  }
}

/** Returns the number of leading zero bits. */
export function zeroBits(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte !== 0);
  return at < 0 ? bytes.length * 8 : at * 8 + Math.clz32(bytes[at]) - 24;
}
