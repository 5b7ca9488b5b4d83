// Outline of a source file: its symbols by name, and the statements, conditions, values and results
// inside, as text ranges.

import { parseSync } from 'vite';
import { type Range, type Token, tokensOf } from './tokens.ts';

export interface Outline {
  /**
   * Declarations of a symbol by path, for example `Ledger.hold` or `openSession.lifeMs`: functions,
   * variables, classes, their members, and object properties. Two declarations can share a path.
   */
  readonly symbols: ReadonlyMap<string, readonly Range[]>;
  /** Initial values of variables, fields and properties, by path. */
  readonly values: ReadonlyMap<string, readonly Range[]>;
  /** Returned expressions of functions, by path. */
  readonly results: ReadonlyMap<string, readonly Range[]>;
  /** Statements of a block, not single statements after an `if`. */
  readonly statements: readonly Range[];
  /** Conditions of `if`, `?:` and loops. */
  readonly conditions: readonly Range[];
  readonly tokens: readonly Token[];
}

/** Path for everything outside symbols, such as imports; style sheets have only this path. */
const WHOLE_FILE = '*';

interface Node extends Range {
  readonly type: string;
  readonly [key: string]: unknown;
}

const DECLARING = new Set([
  'ClassDeclaration',
  'FunctionDeclaration',
  'MethodDefinition',
  'Property',
  'PropertyDefinition',
  'VariableDeclarator',
]);
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression']);
const VALUE_KEYS: Readonly<Record<string, string>> = {
  Property: 'value',
  PropertyDefinition: 'value',
  VariableDeclarator: 'init',
};
const CONDITIONAL = /^(?:If|While|DoWhile|For)Statement$|^ConditionalExpression$/;
const BLOCKS: Readonly<Record<string, string>> = {
  BlockStatement: 'body',
  Program: 'body',
  SwitchCase: 'consequent',
};

/** Throws if the file cannot be parsed. A style sheet has no symbols except `*`. */
export function outlineOf(file: string, text: string): Outline {
  if (file.endsWith('.css')) return outlineOfStyles(text);
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const symbols = new Map([[WHOLE_FILE, [{ start: 0, end: text.length }]]]);
  const values = new Map<string, Range[]>();
  const results = new Map<string, Range[]>();
  const statements: Range[] = [];
  const conditions: Range[] = [];
  /** Functions that have a name because they are a symbol's value. */
  const named = new Set<unknown>();
  /** Properties in a destructuring pattern, which declare nothing. */
  const bound = new Set<Node>();

  /** `path` is the innermost enclosing symbol; `owner` is the function that a `return` ends. */
  const visit = (node: Node, path: string, owner: string): void => {
    if (node.type === 'ObjectPattern') for (const property of childrenOf(node)) bound.add(property);
    const name = DECLARING.has(node.type) && !bound.has(node) ? nameOf(node) : undefined;
    const inside = name === undefined ? path : path === '' ? name : `${path}.${name}`;
    if (name !== undefined) {
      add(symbols, inside, node);
      named.add(node.type === 'FunctionDeclaration' ? node : (node.value ?? node.init));
      const value = node[VALUE_KEYS[node.type]];
      if (isNode(value)) add(values, inside, value);
    }
    if (node.type in BLOCKS) statements.push(...(node[BLOCKS[node.type]] as Node[]));
    if (CONDITIONAL.test(node.type) && isNode(node.test)) conditions.push(node.test);
    const isFunction = FUNCTIONS.has(node.type);
    const inner = isFunction ? (named.has(node) ? inside : '') : owner;
    if (node.type === 'ReturnStatement' && isNode(node.argument))
      add(results, inner, node.argument);
    if (isFunction && node.expression === true && isNode(node.body)) add(results, inner, node.body);
    for (const child of childrenOf(node)) visit(child, inside, inner);
  };
  visit(program as unknown as Node, '', '');
  return { symbols, values, results, statements, conditions, tokens: tokensOf(text, comments) };
}

function outlineOfStyles(text: string): Outline {
  const comments = [...text.matchAll(/\/\*.*?\*\//gs)];
  const ranges = comments.map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  const none = new Map<string, Range[]>();
  return {
    symbols: new Map([[WHOLE_FILE, [{ start: 0, end: text.length }]]]),
    values: none,
    results: none,
    statements: [],
    conditions: [],
    tokens: tokensOf(text, ranges),
  };
}

function nameOf(node: Node): string | undefined {
  const key = (node.id ?? node.key) as Node | null;
  if (key === null || node.computed === true || node.shorthand === true) return undefined;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Identifier') return String(key.name);
  return key.type === 'Literal' ? String(key.value) : undefined;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function add(map: Map<string, Range[]>, name: string, { start, end }: Range): void {
  map.set(name, [...(map.get(name) ?? []), { start, end }]);
}
