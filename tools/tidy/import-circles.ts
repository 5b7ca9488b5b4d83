// No import circles between files, including type-only imports: two files that need each other are
// one idea, or a third file is missing. Reports one shortest circle for each group of files.

import { importsOf } from './imports.ts';
import { isTypeScript, type Rule, type SourceFile, type Violation } from './source-file.ts';

export const checkImportCircles: Rule = (files) => {
  const sources = files.filter(isTypeScript);
  const imports = importGraph(sources);
  return circleGroups(imports).map((group) => describeCircle(group, sources, imports));
};

type ImportGraph = ReadonlyMap<string, readonly string[]>;

function importGraph(sources: readonly SourceFile[]): ImportGraph {
  const paths = new Set(sources.map(({ path }) => path));
  const targets = (file: SourceFile) =>
    importsOf(file).flatMap(({ target }) =>
      target !== undefined && paths.has(target) ? [target] : [],
    );
  return new Map(sources.map((file) => [file.path, [...new Set(targets(file))]]));
}

/** Returns groups of files that reach each other: Tarjan's strongly connected components. */
function circleGroups(imports: ImportGraph): string[][] {
  const groups: string[][] = [];
  const indexes = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  for (const path of imports.keys()) if (!indexes.has(path)) visit(path);
  return groups;

  function visit(path: string): number {
    const index = indexes.size;
    indexes.set(path, index);
    let low = index;
    stack.push(path);
    onStack.add(path);
    for (const target of imports.get(path) ?? []) {
      const known = indexes.get(target);
      if (known === undefined) low = Math.min(low, visit(target));
      else if (onStack.has(target)) low = Math.min(low, known);
    }
    if (low === index) collectGroup(path);
    return low;
  }

  function collectGroup(path: string): void {
    const group = stack.splice(stack.indexOf(path));
    for (const member of group) onStack.delete(member);
    const isCircle = group.length > 1 || imports.get(path)?.includes(path) === true;
    if (isCircle) groups.push(group.sort());
  }
}

function describeCircle(
  group: readonly string[],
  sources: readonly SourceFile[],
  imports: ImportGraph,
): Violation {
  const circles = group.map((start) => shortestCircle(start, imports));
  const [circle] = circles.sort((one, two) => one.length - two.length);
  const [path, next] = circle;
  const file = sources.find((source) => source.path === path);
  const line = file && importsOf(file).find(({ target }) => target === next)?.line;
  const rest = group.length > circle.length - 1 ? ` (${group.length} files are connected)` : '';
  return { path, line: line ?? 1, message: `import circle: ${circle.join(' → ')}${rest}` };
}

/** Returns the import path from a file back to itself; both ends are the file. */
function shortestCircle(start: string, imports: ImportGraph): string[] {
  const importers = new Map<string, string>();
  const reached = [start];
  for (const path of reached) {
    for (const target of imports.get(path) ?? []) {
      if (target === start) return pathBack(path);
      if (importers.has(target)) continue;
      importers.set(target, path);
      reached.push(target);
    }
  }
  return [start, start];

  function pathBack(last: string): string[] {
    const path = [start];
    for (let at: string | undefined = last; at !== undefined && at !== start; ) {
      path.unshift(at);
      at = importers.get(at);
    }
    return [start, ...path];
  }
}
