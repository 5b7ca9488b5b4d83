// Solves the captcha of the exchange: a text whose SHA-256 begins with enough zero bits. It takes
// about a second and asks nothing of the user.

const BATCH = 512;

/** The value of `captcha` for a challenge of `GET /v2/challenge`. */
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

/** How many zero bits the bytes begin with. */
export function zeroBits(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte !== 0);
  return at < 0 ? bytes.length * 8 : at * 8 + Math.clz32(bytes[at]) - 24;
}
