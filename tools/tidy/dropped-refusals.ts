// A call that can return a refusal must use its result, because a dropped refusal looks like
// success. Works by name, without types: a function can refuse if its return type names Refused,
// directly or by an alias, or, without a return type, if it handles a refusal or returns such a
// call. `void (await call())` drops one on purpose. Method calls are not checked.

import { posix } from 'node:path';
import { closing, findFunctions } from './functions.ts';
import { isTestOrBench, isTypeScript, lineAt, type Rule, type SourceFile } from './source-file.ts';

/** Functions that return what their callback returns. */
const PASS_ON = ['answerEvenly', 'inTransaction', 'withConnection'];

const typeAlias = /\btype\s+(\w+)(?:<[^=;]*>)?\s*=([\s\S]*?);\n(?! )/g;
const namedImport = /\bimport\s*\{([^}]*)\}\s*from\s*'(\.[^']*)'/g;
/** A call without an operator before it. */
const statement = /(?<=[;{})]\s*|:\s*\n\s*|\belse\s+)(?:(?:await|void)\s+)?\b([\w$]+)(?=\()/g;
const returned = /(?:\breturn|=>)\s+(?:await\s+)?([\w$]+)(?=\()/g;

export const checkDroppedRefusals: Rule = (files) => {
  const sources = files.filter(isProduct);
  const canRefuse = findRefusing(sources);
  return sources.flatMap((file) =>
    [...file.code.matchAll(statement)]
      .filter(({ 0: { length }, 1: name, index }) => {
        const open = index + length;
        const end = closing(file.code, open);
        if (file.code[end + 1] !== ';') return false;
        if (!PASS_ON.includes(name)) return canRefuse(file, name);
        return returnsRefusal(file, file.code.slice(open, end), canRefuse);
      })
      .map(({ 1: name, index }) => ({
        path: file.path,
        line: lineAt(file.code, index),
        message: `${name} can return a refusal: pass it on, or drop it with void (await …)`,
      })),
  );
};

/** Folders in which refusals are values. Tests can ignore refusals in their setup. */
function isProduct(file: SourceFile): boolean {
  const isRefusing = /^(?:features|platform|services|tools)\//.test(file.path);
  return isRefusing && isTypeScript(file) && !isTestOrBench(file.path);
}

type CanRefuse = (file: SourceFile, name: string) => boolean;

function findRefusing(sources: readonly SourceFile[]): CanRefuse {
  const refusalTypes = findRefusalTypes(sources);
  const functions = sources.flatMap((file) =>
    findFunctions(file.code)
      .filter(({ isArrow }) => !isArrow)
      .map((one) => ({ ...one, file })),
  );
  const byName = Map.groupBy(functions, ({ name }) => name);
  const refusing = new Set<(typeof functions)[number]>();
  const imports = new Map(sources.map((file) => [file, importedNames(file)]));
  const canRefuse: CanRefuse = (file, name) => {
    const target = imports.get(file)?.get(name) ?? file.path;
    return (byName.get(name) ?? []).some((one) => refusing.has(one) && isIn(one.file.path, target));
  };
  for (let size = -1; size !== refusing.size; ) {
    size = refusing.size;
    for (const one of functions) {
      if (refusing.has(one)) continue;
      const { body, end, file, returnType } = one;
      const isRefusing = returnType.includes(':')
        ? returnType.match(/\w+/g)?.some((word) => refusalTypes.has(word))
        : returnsRefusal(file, file.code.slice(body, end), canRefuse);
      if (isRefusing) refusing.add(one);
    }
  }
  return canRefuse;
}

/** Includes callbacks, whose result is almost always returned. */
function returnsRefusal(file: SourceFile, code: string, canRefuse: CanRefuse): boolean {
  const isOwn = /\bRefused\b/.test(code);
  return isOwn || [...code.matchAll(returned)].some(([, name]) => canRefuse(file, name));
}

function findRefusalTypes(sources: readonly SourceFile[]): Set<string> {
  const aliases = sources.flatMap(({ code }) => [...code.matchAll(typeAlias)]);
  const found = new Set(['Refused']);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const [, name, type] of aliases) {
      if (type.match(/\w+/g)?.some((word) => found.has(word))) found.add(name);
    }
  }
  return found;
}

/** Returns the file or the door of each imported name. */
function importedNames({ path, text }: SourceFile): Map<string, string> {
  return new Map(
    [...text.matchAll(namedImport)].flatMap(([, names, specifier]) => {
      const target = posix.join(posix.dirname(path), specifier);
      return (names.match(/\w+/g) ?? []).map((name) => [name, target] as const);
    }),
  );
}

function isIn(path: string, target: string): boolean {
  return (
    path === target ||
    (target.endsWith('/index.ts') && path.startsWith(`${posix.dirname(target)}/`))
  );
}
