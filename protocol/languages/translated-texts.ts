// What a file of a language holds.

/** By key of the catalogue; `{name}` is filled as in the English text. */
export type Texts = Readonly<Record<string, string>>;
