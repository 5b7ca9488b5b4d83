// The amount and unit that a voter types again. Number and unit count, not their spelling.

/** A number without a sign, an exponent or marks between thousands, a blank, and a unit. */
const AMOUNT = /^(\d+)(?:\.(\d+))? (\S+)$/;

/** Whether both name the same amount of the same unit. */
export function isSameAmount(one: string, other: string): boolean {
  const plain = plainAmount(one);
  return plain !== undefined && plain === plainAmount(other);
}

function plainAmount(text: string): string | undefined {
  const [, whole, fraction = '', unit] =
    AMOUNT.exec(text.trim().toLowerCase().replace(/\s+/g, ' ')) ?? [];
  if (whole === undefined) return undefined;
  return `${whole.replace(/^0+/, '')}.${fraction.replace(/0+$/, '')} ${unit}`;
}
