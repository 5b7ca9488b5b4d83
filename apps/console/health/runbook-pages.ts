// The repository's runbooks, bundled with the console so operators need no other tool.

const pages = import.meta.glob<string>('../../../docs/operating/runbooks/*.md', {
  query: '?raw',
  import: 'default',
});

function pathOf(name: string): string {
  return `../../../docs/operating/runbooks/${name}.md`;
}

/** Sorted names, such as `no-leader`. */
export const runbookNames: readonly string[] = Object.keys(pages)
  .map((path) => path.replace(/^.*\//, '').replace(/\.md$/, ''))
  .filter((name) => name !== 'README')
  .toSorted();

/** Returns undefined if no runbook has the name. */
export function loadRunbook(name: string): Promise<string> | undefined {
  return pages[pathOf(name)]?.();
}
