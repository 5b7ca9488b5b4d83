// Where a withdrawal goes: an address, for some networks with a tag. As text, a colon separates
// them.

export interface Destination {
  /** In its one spelling. */
  readonly address: string;
  /** '' for none. */
  readonly tag: string;
}

/** The form that clients send and see. */
export function destinationText({ address, tag }: Destination): string {
  return tag === '' ? address : `${address}:${tag}`;
}

/** The parts as they are given. Undefined if a colon promises a tag that is missing. */
export function splitTag(text: string): Destination | undefined {
  const at = text.indexOf(':');
  if (at < 0) return { address: text, tag: '' };
  const tag = text.slice(at + 1);
  return tag === '' ? undefined : { address: text.slice(0, at), tag };
}
