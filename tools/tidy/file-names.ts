// Files and folders are kebab-case and named for their content.

import type { Rule } from './source-file.ts';

const kebabCase = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;

// Names fixed by tools or by convention.
const customaryNames = new RegExp(
  String.raw`^(?:LICENSE|NOTICE|Caddyfile|Dockerfile(?:\.dockerignore)?|ISSUE_TEMPLATE` +
    // Systemd templates and their drop-in folders; PostgreSQL's own file.
    String.raw`|[A-Z_]+\.md|rialto(?:-\w+)?@[\w-]*\.service(?:\.d)?|pg_hba\.conf)$`,
);

const emptyNames = new Set(
  'util utils helper helpers common misc lib base shared manager'.split(' '),
);

const emptySuffix = /-(?:utils?|helpers?|misc|manager)$/;

export const checkFileNames: Rule = (files) => {
  const seen = new Set<string>();
  return files.flatMap(({ path }) =>
    path.split('/').flatMap((segment, depth, segments) => {
      const place = segments.slice(0, depth + 1).join('/');
      const message = seen.has(place) ? undefined : refuseName(segment);
      seen.add(place);
      return message === undefined ? [] : [{ path: place, line: 1, message }];
    }),
  );
};

function refuseName(segment: string): string | undefined {
  if (customaryNames.test(segment)) return undefined;
  if (!kebabCase.test(segment)) return `'${segment}' is not kebab-case`;
  const stem = segment.replace(/(?<=.)\..*$/, '');
  if (emptyNames.has(stem) || emptySuffix.test(stem) || segment === 'types.ts') {
    return `'${segment}' is a meaningless name; name the content`;
  }
  return undefined;
}
