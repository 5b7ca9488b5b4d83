// Writes a PDF of text and lines, page by page, without keeping it in memory: each method returns
// the bytes to send next. Every byte is ASCII, so a client can treat the file as text. Uses the
// fonts that every reader has, which have Latin letters only; any other letter becomes `?`.

/** Points; A4. */
export const PAGE = { width: 595, height: 842 } as const;

export type Font = 'regular' | 'bold';

/** Helvetica, in thousandths of its size, from the space to the tilde. */
const WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const SPACE = 32;
const OTHER_WIDTH = 556;

/** The width of a text in the regular font, in points. */
export function widthOf(text: string, size: number): number {
  let thousandths = 0;
  for (const letter of text) {
    thousandths += WIDTHS[letter.codePointAt(0)! - SPACE] ?? OTHER_WIDTH;
  }
  return (thousandths * size) / 1_000;
}

/** Cuts a text to a width in the middle, because people compare both ends of an ID. */
export function fitted(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text;
  let kept = text.length;
  let cut: string;
  do {
    kept--;
    const tail = text.slice(text.length - Math.floor(kept / 2));
    cut = `${text.slice(0, Math.ceil(kept / 2))}...${tail}`;
  } while (kept > 0 && widthOf(cut, size) > width);
  return cut;
}

function literal(text: string): string {
  let written = '';
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    if (letter === '(' || letter === ')' || letter === '\\') written += `\\${letter}`;
    else if (code >= SPACE && code < 127) written += letter;
    // The letters of Latin-1 have the same codes in the font's encoding.
    else if (code >= 160 && code < 256) written += `\\${code.toString(8)}`;
    else written += '?';
  }
  return `(${written})`;
}

const CATALOG = 1;
const PAGES = 2;
const INFO = 3;
const FONTS = { regular: 4, bold: 5 } as const;
const FIRST_FREE = 6;

export class PdfWriter {
  readonly #title: string;
  /** Offsets of objects by number. */
  readonly #offsets: number[] = [];
  readonly #pages: number[] = [];
  #next = FIRST_FREE;
  #length = 0;
  #content = '';

  constructor(title: string) {
    this.#title = title;
  }

  get pages(): number {
    return this.#pages.length;
  }

  begin(): string {
    const font = (name: string) =>
      `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
    return (
      this.#count('%PDF-1.4\n') +
      this.#object(INFO, `<< /Title ${literal(this.#title)} /Producer (Rialto) >>`) +
      this.#object(FONTS.regular, font('Helvetica')) +
      this.#object(FONTS.bold, font('Helvetica-Bold'))
    );
  }

  /** Draws a text whose baseline starts at x, or ends there with `isRight`, in the regular font. */
  text(
    text: string,
    {
      x,
      y,
      size,
      font = 'regular',
      gray = 0,
      isRight = false,
    }: {
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly font?: Font;
      readonly gray?: number;
      readonly isRight?: boolean;
    },
  ): void {
    const at = isRight ? x - widthOf(text, size) : x;
    this.#content +=
      `BT ${gray} g /${font === 'bold' ? 'B' : 'R'} ${size} Tf ` +
      `${at.toFixed(2)} ${y.toFixed(2)} Td ${literal(text)} Tj ET\n`;
  }

  /** Draws a horizontal line. */
  line({ from, to, y }: { readonly from: number; readonly to: number; readonly y: number }): void {
    this.#content += `0.75 G 0.5 w ${from} ${y.toFixed(2)} m ${to} ${y.toFixed(2)} l S\n`;
  }

  endPage(): string {
    const [content, page] = [this.#next++, this.#next++];
    this.#pages.push(page);
    const text = this.#content;
    this.#content = '';
    return (
      this.#object(content, `<< /Length ${text.length} >>\nstream\n${text}endstream`) +
      this.#object(
        page,
        `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] ` +
          `/Resources << /Font << /R ${FONTS.regular} 0 R /B ${FONTS.bold} 0 R >> >> ` +
          `/Contents ${content} 0 R >>`,
      )
    );
  }

  end(): string {
    const kids = this.#pages.map((page) => `${page} 0 R`).join(' ');
    const body =
      this.#object(PAGES, `<< /Type /Pages /Count ${this.#pages.length} /Kids [${kids}] >>`) +
      this.#object(CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R >>`);
    const start = this.#length;
    let table = `xref\n0 ${this.#next}\n0000000000 65535 f \n`;
    for (let number = 1; number < this.#next; number++) {
      table += `${`${this.#offsets[number]}`.padStart(10, '0')} 00000 n \n`;
    }
    const trailer = `<< /Size ${this.#next} /Root ${CATALOG} 0 R /Info ${INFO} 0 R >>`;
    return `${body}${table}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`;
  }

  #object(number: number, body: string): string {
    this.#offsets[number] = this.#length;
    return this.#count(`${number} 0 obj\n${body}\nendobj\n`);
  }

  #count(text: string): string {
    this.#length += text.length;
    return text;
  }
}
