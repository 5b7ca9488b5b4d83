// Values of branded types from plain numbers, for tests. Field names and kinds are checked. Fields
// that a test does not need can be omitted. Only tests import it.

export type Plain<Type> = {
  readonly [Name in keyof Type]?: Type[Name] extends number
    ? number
    : Type[Name] extends bigint
      ? bigint
      : Type[Name];
};

export function fromPlain<Type extends object>(fields: Plain<Type>): Type {
  return fields as object as Type;
}
