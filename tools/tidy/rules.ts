// All tidy rules in one table, and a function that runs them over a set of files.

import { checkLayers } from './check-layers.ts';
import { checkCorePurity } from './core-purity.ts';
import { checkDeadFiles } from './dead-files.ts';
import { checkDroppedRefusals } from './dropped-refusals.ts';
import { checkFileNames } from './file-names.ts';
import { checkForbiddenSyntax } from './forbidden-syntax.ts';
import { checkHeaders } from './headers.ts';
import { checkImportCircles } from './import-circles.ts';
import { checkLengths } from './lengths.ts';
import { checkPackageManifest } from './package-manifest.ts';
import { checkPhrasebook } from './phrasebook.ts';
import { checkPlainWords } from './plain-words.ts';
import { checkSignerImports } from './signer-imports.ts';
import { isTestOrBench, type Rule, type SourceFile, type Violation } from './source-file.ts';
import { checkStartPath } from './start-path.ts';
import { checkStrayReferences } from './stray-references.ts';

const rules: Record<string, Rule> = {
  layers: checkLayers,
  'import circles': checkImportCircles,
  'core purity': checkCorePurity,
  'file names': checkFileNames,
  headers: checkHeaders,
  lengths: checkLengths,
  'forbidden syntax': checkForbiddenSyntax,
  'dead files': checkDeadFiles,
  'start path': checkStartPath,
  'signer imports': checkSignerImports,
  'stray references': checkStrayReferences,
  'package manifest': checkPackageManifest,
  'plain words': checkPlainWords,
  phrasebook: checkPhrasebook,
};

/** Returns one line per violation. */
export function tidy(files: readonly SourceFile[]): string[] {
  return Object.entries(rules).flatMap(([name, rule]) => described(name, rule(files)));
}

/** The rules that need types. They compile the repository, so only `npm run check` runs them. */
export function tidyTypes(root: string): string[] {
  return described('dropped refusals', checkDroppedRefusals(root, canRefuse));
}

/** Folders in which refusals are values. Tests can ignore refusals in their setup. */
function canRefuse(path: string): boolean {
  return /^(?:features|platform|services|tools)\//.test(path) && !isTestOrBench(path);
}

function described(name: string, violations: readonly Violation[]): string[] {
  return violations.map(({ path, line, message }) => `${path}:${line}  ${name}: ${message}`);
}
