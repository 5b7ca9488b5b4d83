// A refusal inside the signer: thrown by a check, and answered by the signer. No entry is written
// and nothing is signed after it.

import type { SignerRefusal } from '../../infra/signer-link/index.ts';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly refusal: SignerRefusal;
  readonly detail: string | undefined;

  constructor(refusal: SignerRefusal, detail?: string) {
    super(refusal);
    this.refusal = refusal;
    this.detail = detail;
  }
}

/** Throws the refusal unless the condition is true. */
export function refuseUnless(
  condition: boolean,
  refusal: SignerRefusal,
  detail?: string,
): asserts condition {
  if (!condition) throw new Refusal(refusal, detail);
}
