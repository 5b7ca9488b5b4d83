// Text of a sanitized announcement, by paragraph. The apps never write HTML into the page, and
// Trusted Types prevent parsing it with the DOM.

/** Everything that the exchange's sanitizer emits. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

export function paragraphsOf(html: string): string[] {
  return html
    .replaceAll(/<br>|<\/(?:p|li|h[1-4]|blockquote|pre)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity])
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}
