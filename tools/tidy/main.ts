// Prints what is untidy in this repository and fails when anything is. Part of `npm run check`.

import { readRepository, repositoryRoot } from './repository.ts';
import { tidy } from './rules.ts';

const files = readRepository(repositoryRoot);
const violations = tidy(files);

for (const violation of violations) console.error(violation);
console.log(`tidy: ${files.length} files, ${violations.length} violations`);
if (violations.length > 0) process.exitCode = 1;
