// A statement must not drop a refusal, because a dropped refusal looks like success. Asks the
// compiler for types, so inferred results, methods and callbacks count. `void (await call())` drops
// one on purpose.

import { join } from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isExpressionStatement,
  isParenthesizedExpression,
  isVoidExpression,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Type } from 'typescript/unstable/sync';
import { lineAt, type Violation } from './source-file.ts';

/** Types that pass on what they contain. */
const CONTAINERS = ['Promise', 'Array', 'ReadonlyArray'];

/** Checks files of the project in `root` that `isChecked` accepts by path. */
export function checkDroppedRefusals(
  root: string,
  isChecked: (path: string) => boolean,
): Violation[] {
  const compiler = new API({ cwd: root });
  try {
    const snapshot = compiler.updateSnapshot({ openProject: join(root, 'tsconfig.json') });
    const [{ checker, program }] = snapshot.getProjects();
    const isRefusal = refusalTypes(checker);
    const within = `${root}/`;
    return program.getSourceFileNames().flatMap((name) => {
      const path = name.startsWith(within) ? name.slice(within.length) : undefined;
      const file = path !== undefined && isChecked(path) ? program.getSourceFile(name) : undefined;
      if (path === undefined || file === undefined) return [];
      const dropped = droppedValues(file);
      if (dropped.length === 0) return [];
      const types = checker.getTypeAtLocation(dropped);
      return dropped
        .filter((_, at) => isRefusal(types[at]))
        .map((node) => ({
          path,
          line: lineAt(file.text, node.getStart(file)),
          message: 'can be a refusal: pass it on, or drop it with void (await …)',
        }));
    });
  } finally {
    compiler.close();
  }
}

/** Returns expressions whose value is not used. */
function droppedValues(node: Node): Node[] {
  const found: Node[] = [];
  const visit = (one: Node): void => {
    if (isExpressionStatement(one)) {
      const value = isVoidExpression(one.expression) ? one.expression.expression : one.expression;
      const isMeant = value !== one.expression && isParenthesizedExpression(value);
      if (!isMeant && !isAssignment(value)) found.push(value);
    }
    one.forEachChild(visit);
  };
  node.forEachChild(visit);
  return found;
}

function isAssignment(node: Node): boolean {
  if (!isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}

function refusalTypes(checker: Checker): (type: Type | undefined) => boolean {
  const known = new Map<number, boolean>();
  const isRefusal = (type: Type | undefined): boolean => {
    if (type === undefined) return false;
    const before = known.get(type.id);
    if (before !== undefined) return before;
    known.set(type.id, false);
    const parts = type.isUnionType() ? type.getTypes() : partsOf(type);
    const found = type.getSymbol()?.name === 'Refused' || parts.some(isRefusal);
    known.set(type.id, found);
    return found;
  };
  const partsOf = (type: Type): readonly Type[] => {
    const isContainer = CONTAINERS.includes(type.getSymbol()?.name ?? '');
    return isContainer && type.isTypeReference() ? checker.getTypeArguments(type) : [];
  };
  return isRefusal;
}
