// Derives a package list for Debian's newest suite from the machine's own package sources. Host and
// signing keys come from the machine; this file names neither.

export type SourcesFile = { name: string; text: string };

/**
 * Returns one deb822 stanza for the suite `sid`, derived from the first Debian source in the given
 * files. Returns undefined if none of them lists a Debian archive.
 */
export function sidSources(files: readonly SourcesFile[]): string | undefined {
  for (const { name, text } of files) {
    const stanza = name.endsWith('.sources') ? fromStanzas(text) : fromLines(text);
    if (stanza !== undefined) return stanza;
  }
  return undefined;
}

type Source = {
  uris: readonly string[];
  suites: readonly string[];
  components: readonly string[];
  signedBy: string | undefined;
};

const codenames = /^(?:bullseye|bookworm|trixie|forky|duke|sid)$/;

// Other projects' archives have no suite `sid`, and Debian's security archive lacks most packages.
// Debian's main archive is recognized by the end of its path or by the plain name of a release.
function isDebianArchive({ uris, suites, components }: Source): boolean {
  if (!components.includes('main')) return false;
  const isNamedSo = uris.some((uri) => /\/debian(?:\.list)?\/?$/.test(uri));
  return isNamedSo || suites.some((suite) => codenames.test(suite));
}

function sidStanza({ uris, signedBy }: Source): string {
  const signature = signedBy === undefined ? '' : `Signed-By: ${signedBy}\n`;
  return `Types: deb\nURIs: ${uris.join(' ')}\nSuites: sid\nComponents: main\n${signature}`;
}

function fromStanzas(text: string): string | undefined {
  const withoutComments = text.replaceAll(/^#.*\n?/gm, '');
  for (const stanza of withoutComments.split(/\n\s*\n/)) {
    const fields = fieldsOf(stanza);
    const words = (name: string) => (fields.get(name) ?? '').split(/\s+/).filter(Boolean);
    const isEnabled = !/^(?:no|false|0|off)$/i.test(fields.get('enabled') ?? 'yes');
    const source: Source = {
      uris: words('uris'),
      suites: words('suites'),
      components: words('components'),
      signedBy: fields.get('signed-by'),
    };
    if (isEnabled && words('types').includes('deb') && isDebianArchive(source)) {
      return sidStanza(source);
    }
  }
  return undefined;
}

// A field continues on lines that start with a space; an inline signing key is such a field.
function fieldsOf(stanza: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [, name, value] of stanza.matchAll(/^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)/gm)) {
    fields.set(name.toLowerCase(), value.trimEnd());
  }
  return fields;
}

const oneLineSource = /^[ \t]*deb[ \t]+(?:\[([^\]]*)\][ \t]+)?(\S+)[ \t]+(\S+)([^#\n]*)/gm;

function fromLines(text: string): string | undefined {
  for (const [, options, uri, suite, components] of text.matchAll(oneLineSource)) {
    const source: Source = {
      uris: [uri],
      suites: [suite],
      components: components.split(/\s+/),
      signedBy: options?.match(/(?:^|\s)signed-by=(\S+)/)?.[1],
    };
    if (isDebianArchive(source)) return sidStanza(source);
  }
  return undefined;
}
