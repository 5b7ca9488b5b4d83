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
import type { Rule, SourceFile } from './source-file.ts';
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
  'dropped refusals': checkDroppedRefusals,
  'start path': checkStartPath,
  'stray references': checkStrayReferences,
  'package manifest': checkPackageManifest,
  'plain words': checkPlainWords,
  phrasebook: checkPhrasebook,
};

/** Returns one line per violation. */
export function tidy(files: readonly SourceFile[]): string[] {
  return Object.entries(rules).flatMap(([name, rule]) =>
    rule(files).map(({ path, line, message }) => `${path}:${line}  ${name}: ${message}`),
  );
}
