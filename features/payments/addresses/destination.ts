// Withdrawal destination: an address, plus a tag in some networks. As text, a colon separates them.

export interface Destination {
  /** Canonical spelling. */
  readonly address: string;
  /** '' if there is no tag. */
  readonly tag: string;
}

/** Returns the form that clients send and see. */
export function destinationText({ address, tag }: Destination): string {
  return tag === '' ? address : `${address}:${tag}`;
}

/** Returns the parts as given, or undefined if nothing follows the colon. */
export function splitTag(text: string): Destination | undefined {
  const at = text.indexOf(':');
  if (at < 0) return { address: text, tag: '' };
  const tag = text.slice(at + 1);
  return tag === '' ? undefined : { address: text.slice(0, at), tag };
}
