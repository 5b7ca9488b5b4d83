// Splits source text into tokens, to compare texts without their layout: spaces, line breaks,
// comments, the kind of quotation marks and trailing commas do not count. TypeScript and the SQL in
// its template literals are split by the same rules, so a quote can begin and end anywhere.

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Token extends Range {
  readonly text: string;
}

const OPERATORS = '${ ... === !== == != => <= >= && || ?? ?. ** ++ -- += -= *= /= %= |= &='.split(
  ' ',
);
const TOKEN = new RegExp(
  `${OPERATORS.map((operator) => RegExp.escape(operator)).join('|')}|[\\p{L}\\p{N}_$]+|\\S`,
  'gu',
);

/** Returns the tokens of a text outside of its comments, whose ranges are in order. */
export function tokensOf(text: string, comments: readonly Range[] = []): Token[] {
  const tokens: Token[] = [];
  let next = 0;
  for (const { 0: found, index } of text.matchAll(TOKEN)) {
    while (next < comments.length && comments[next].end <= index) next += 1;
    if (next < comments.length && comments[next].start <= index) continue;
    if (/^[)\]}]$/.test(found) && tokens.at(-1)?.text === ',') tokens.pop();
    const same = found === '"' ? "'" : found;
    tokens.push({ text: same, start: index, end: index + found.length });
  }
  return tokens;
}

/** Returns where the quoted tokens occur consecutively inside a range. */
export function rangesOf(
  quote: readonly Token[],
  { tokens, within }: { tokens: readonly Token[]; within: Range },
): Range[] {
  const ranges: Range[] = [];
  const last = quote.length - 1;
  for (let at = 0; at + last < tokens.length; at += 1) {
    const [start, end] = [tokens[at].start, tokens[at + last].end];
    if (start < within.start || end > within.end) continue;
    if (quote.every(({ text }, offset) => tokens[at + offset].text === text)) {
      ranges.push({ start, end });
    }
  }
  return ranges;
}
