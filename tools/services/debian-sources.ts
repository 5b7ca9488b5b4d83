// Derives, from a machine's own list of package sources, a list that offers Debian's newest suite.
// The host and the signing keys are the machine's; this file never names either.

export type SourcesFile = { name: string; text: string };

/**
 * One deb822 stanza for the suite `sid`, made from the first Debian source in the given files.
 * Undefined when none of them names a Debian archive.
 */
export function sidSources(files: readonly SourcesFile[]): string | undefined {
  for (const { name, text } of files) {
    const stanza = name.endsWith('.sources') ? fromStanzas(text) : fromLines(text);
    if (stanza !== undefined) return stanza;
  }
  return undefined;
}

// Other archives than Debian's have no suite `sid`, and those of security and backports lack most
// packages; a Debian archive is known by the last part of its path.
function isDebianArchive(uri: string): boolean {
  return /\/debian\/?$/.test(uri);
}

function fromStanzas(text: string): string | undefined {
  const withoutComments = text.replaceAll(/^#.*\n?/gm, '');
  for (const stanza of withoutComments.split(/\n\s*\n/)) {
    const fields = fieldsOf(stanza);
    const types = (fields.get('types') ?? '').split(/\s+/);
    const uri = (fields.get('uris') ?? '').split(/\s+/).find(isDebianArchive);
    const isEnabled = !/^(?:no|false|0|off)$/i.test(fields.get('enabled')?.trim() ?? 'yes');
    if (!types.includes('deb') || uri === undefined || !isEnabled) continue;
    return sidStanza(uri, fields.get('signed-by'));
  }
  return undefined;
}

// A field goes on over lines that begin with a space; an inline signing key is such a field.
function fieldsOf(stanza: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [, name, value] of stanza.matchAll(/^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)/gm)) {
    fields.set(name.toLowerCase(), value.trimEnd());
  }
  return fields;
}

const oneLineSource = /^[ \t]*deb[ \t]+(?:\[([^\]]*)\][ \t]+)?(\S+)[ \t]+\S+/gm;

function fromLines(text: string): string | undefined {
  for (const [, options, uri] of text.matchAll(oneLineSource)) {
    if (!isDebianArchive(uri)) continue;
    return sidStanza(uri, options?.match(/(?:^|\s)signed-by=(\S+)/)?.[1]);
  }
  return undefined;
}

function sidStanza(uri: string, signedBy: string | undefined): string {
  const signature = signedBy === undefined ? '' : `Signed-By: ${signedBy}\n`;
  return `Types: deb\nURIs: ${uri}\nSuites: sid\nComponents: main\n${signature}`;
}
