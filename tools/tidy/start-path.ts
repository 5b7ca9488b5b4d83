// Keeps large packages off the startup path of every process: only their types are imported, and a
// package is loaded on first use.

import { isTestOrBench, isTypeScript, lineAt, type Rule } from './source-file.ts';

const LARGE = [
  'typebox',
  '@simplewebauthn/server',
  'sanitize-html',
  '@scalar/fastify-api-reference',
];
const SERVED = /^(?:features|infra|platform|protocol|services)\//;
const STATIC_IMPORT = /^(?:import|export)(?! type\b)\b[^;]*?\bfrom\s*'/gm;

export const checkStartPath: Rule = (files) =>
  files
    .filter((file) => isTypeScript(file) && SERVED.test(file.path) && !isTestOrBench(file.path))
    .flatMap(({ code, path, text }) =>
      [...code.matchAll(STATIC_IMPORT)].flatMap((match) => {
        const start = match.index + match[0].length;
        const name = text.slice(start, text.indexOf("'", start));
        if (!LARGE.includes(name)) return [];
        const message = `'${name}' is large: import its types only, and load it at its first use`;
        return [{ path, line: lineAt(text, match.index), message }];
      }),
    );
