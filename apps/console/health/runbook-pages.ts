// The runbooks of the repository, as part of the console: no other tool is needed to read them.

const pages = import.meta.glob<string>('../../../docs/operating/runbooks/*.md', {
  query: '?raw',
  import: 'default',
});

function pathOf(name: string): string {
  return `../../../docs/operating/runbooks/${name}.md`;
}

/** `no-leader` and so on, sorted. */
export const runbookNames: readonly string[] = Object.keys(pages)
  .map((path) => path.replace(/^.*\//, '').replace(/\.md$/, ''))
  .filter((name) => name !== 'README')
  .toSorted();

/** Undefined if no page has the name. */
export function loadRunbook(name: string): Promise<string> | undefined {
  return pages[pathOf(name)]?.();
}
