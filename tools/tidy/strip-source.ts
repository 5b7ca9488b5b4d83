// Separates TypeScript source into its code and its comments without parsing it. Both results have
// the length of the input, with everything else blanked to spaces, so offsets and line numbers are
// the same in all three. Quotes remain in the code; their content does not.

export type StrippedSource = { code: string; comments: string };

type Span = { start: number; end: number };

// After these words a slash starts a regular expression; after any other word it divides.
const wordsBeforeRegex = new Set(
  'return typeof case in of delete void throw new do else await yield instanceof'.split(' '),
);

export function stripSource(text: string): StrippedSource {
  const literals: Span[] = [];
  const comments: Span[] = [];
  // For each open template expression, the number of open braces inside it.
  const templateBraces: number[] = [];
  let last = -1;
  let at = 0;

  const takeTemplate = (start: number): number => {
    const end = endOfTemplateText(text, start);
    literals.push({ start, end });
    if (text[end] !== '$') return end + 1;
    templateBraces.push(0);
    return end + 2;
  };

  while (at < text.length) {
    const char = text[at];
    const inTemplate = templateBraces.length - 1;
    if (char === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
      const end = endOfComment(text, at);
      comments.push({ start: at, end });
      at = end;
      continue;
    }
    if (char === '/' && opensRegex(text, last)) {
      const end = endOfRegex(text, at + 1);
      literals.push({ start: at + 1, end });
      at = end;
    } else if (char === "'" || char === '"') {
      const end = endOfString(text, at + 1, char);
      literals.push({ start: at + 1, end });
      at = end;
    } else if (char === '`') {
      at = takeTemplate(at + 1) - 1;
    } else if (char === '{' && inTemplate >= 0) {
      templateBraces[inTemplate] += 1;
    } else if (char === '}' && inTemplate >= 0) {
      if (templateBraces[inTemplate] > 0) {
        templateBraces[inTemplate] -= 1;
      } else {
        templateBraces.pop();
        at = takeTemplate(at + 1) - 1;
      }
    }
    if (at < text.length && !/\s/.test(text[at])) last = at;
    at += 1;
  }
  return { code: blank(text, [...literals, ...comments]), comments: keepOnly(text, comments) };
}

function endOfComment(text: string, start: number): number {
  const isLine = text[start + 1] === '/';
  const end = text.indexOf(isLine ? '\n' : '*/', start + 2);
  if (end < 0) return text.length;
  return isLine ? end : end + 2;
}

// Returns the offset of the closing quote. An unterminated string ends with its line.
function endOfString(text: string, start: number, quote: string): number {
  let at = start;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return Math.min(at, text.length);
}

// Returns the offset of the closing backtick or of the `${` that opens an expression.
function endOfTemplateText(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '`' && !(text[at] === '$' && text[at + 1] === '{')) {
    at += text[at] === '\\' ? 2 : 1;
  }
  return Math.min(at, text.length);
}

// Returns the offset of the closing slash; a slash inside a character class does not close.
function endOfRegex(text: string, start: number): number {
  let at = start;
  let inClass = false;
  while (at < text.length && text[at] !== '\n' && (inClass || text[at] !== '/')) {
    if (text[at] === '[') inClass = true;
    else if (text[at] === ']') inClass = false;
    at += text[at] === '\\' ? 2 : 1;
  }
  return Math.min(at, text.length);
}

function opensRegex(text: string, last: number): boolean {
  if (last < 0) return true;
  // `</` closes an element.
  if (/[)\]}'"`<]/.test(text[last])) return false;
  const word = /[\w$]+$/.exec(text.slice(Math.max(0, last - 20), last + 1))?.[0];
  return word === undefined || wordsBeforeRegex.has(word);
}

function blank(text: string, spans: Span[]): string {
  spans.sort((a, b) => a.start - b.start);
  let result = '';
  let at = 0;
  for (const { start, end } of spans) {
    result += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    at = end;
  }
  return result + text.slice(at);
}

function keepOnly(text: string, spans: Span[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of spans) {
    result += text.slice(at, start).replace(/[^\n]/g, ' ') + text.slice(start, end);
    at = end;
  }
  return result + text.slice(at).replace(/[^\n]/g, ' ');
}
