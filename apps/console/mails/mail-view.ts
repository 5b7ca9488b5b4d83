// Texts of emails: their placeholders in the preview, and paragraphs as the API takes them.

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Fills in the placeholders that a text can have. */
export function preview(
  text: string,
  values: Readonly<Record<'exchange' | 'host', string>>,
): string {
  return text.replaceAll(/\{(exchange|host)\}/g, (_, name: 'exchange' | 'host') => values[name]);
}

export function mailHtml(paragraphs: readonly string[]): string {
  const escaped = (line: string) => line.trim().replaceAll(/[&<>]/g, (sign) => ESCAPES[sign]);
  return paragraphs.map((line) => `<p>${escaped(line)}</p>`).join('\n');
}
