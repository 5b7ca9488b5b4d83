// Finds function bodies in stripped code by matching brackets: declarations, methods and arrows.
// An approximation that is exact for formatted source, which is enough for the length rule.

export type FoundFunction = {
  name: string;
  start: number;
  /** Text from the parameters to the body; '' for arrows. */
  returnType: string;
  /** Offset of its `{`. */
  body: number;
  end: number;
  isArrow: boolean;
};

const declaration = /\bfunction\b\s*\*?\s*([\w$]*)\s*(?:<[^(]*>)?\s*(?=\()/g;
const modifiers = '(?:(?:static|private|protected|public|override|get|set|async|\\*)\\s*)*';
const method = new RegExp(`^[ \\t]+${modifiers}([\\w$#]+)\\s*(?:<[^(]*>)?(?=\\()`, 'gm');
const arrow = /(?:\b(?:const|let)\s+([\w$]+)[^;={}]*=[^;{}]*)?=>\s*(?=\{)/g;

const notMethods = new Set('if for while switch catch return function await new with'.split(' '));

export function findFunctions(code: string): FoundFunction[] {
  const found: FoundFunction[] = [];
  for (const pattern of [declaration, method]) {
    for (const match of code.matchAll(pattern)) {
      if (notMethods.has(match[1])) continue;
      const parameters = closing(code, match.index + match[0].length) + 1;
      const body = bodyAfter(code, parameters);
      if (body < 0) continue;
      const name = match[1] === '' ? 'function' : match[1];
      const returnType = code.slice(parameters, body);
      const end = closing(code, body);
      found.push({ name, start: match.index, returnType, body, end, isArrow: false });
    }
  }
  for (const match of code.matchAll(arrow)) {
    const body = match.index + match[0].length;
    const name = match[1] ?? 'arrow function';
    const end = closing(code, body);
    found.push({ name, start: match.index, returnType: '', body, end, isArrow: true });
  }
  return found.sort((a, b) => a.start - b.start);
}

// Returns the offset of the `{` that opens the body, after a return type; -1 without a body.
function bodyAfter(code: string, start: number): number {
  let previous = '';
  let isType = false;
  for (let at = start; at < code.length; at += 1) {
    const char = code[at];
    if (/\s/.test(char)) continue;
    if (char === '{') {
      // Inside a type, a brace after one of these opens an object type, not the body.
      if (!isType || !/[:|&<,(>[]/.test(previous)) return at;
      if (previous === '>' && code[at - 2] !== '=' && code[at - 3] !== '=') return at;
      at = closing(code, at);
    } else if (char === '(' || char === '[') {
      if (!isType) return -1;
      at = closing(code, at);
    } else if (char === ':' && !isType) {
      isType = true;
    } else if (char === ';' || char === '}' || !isType) {
      return -1;
    }
    previous = code[at];
  }
  return -1;
}

/** Returns the offset of the bracket that closes the one at `open`, or the end of the code. */
export function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    const char = code[at];
    if (char === '(' || char === '[' || char === '{') depth += 1;
    if (char === ')' || char === ']' || char === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}
