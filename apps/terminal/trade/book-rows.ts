// Writes book rows directly into their elements: React renders them once, and each frame changes
// only the texts and bars that differ.

import {
  type BookRow,
  deepestOf,
  hasChanged,
  type ShownSizes,
  type Side,
  sizesOf,
} from './book-view.ts';

/** Parts of one row, and their current content. */
interface RowParts {
  readonly element: HTMLElement;
  readonly bar: HTMLElement;
  readonly texts: readonly [price: Text, size: Text, total: Text];
  shown: { price: string; size: string; total: string; share: number; isOwn: boolean };
}

const NOTHING = { price: '', size: '', total: '', share: -1, isOwn: false };

export interface RowFormat {
  price(text: string): string;
  size(text: string): string;
}

export class BookRowWriter {
  readonly #rows: RowParts[];
  readonly #side: Side;
  #sizes: ShownSizes = new Map();
  /** Two names for one animation alternate, because a new name restarts it. */
  #flash: 'a' | 'b' = 'a';

  constructor(container: HTMLElement, side: Side) {
    this.#side = side;
    const elements = container.querySelectorAll<HTMLElement>(`[data-side="${side}"]`);
    this.#rows = [...elements].map((element) => {
      const [price, size, total] = [...element.querySelectorAll('span')].map((cell) =>
        cell.appendChild(document.createTextNode('')),
      );
      const bar = element.querySelector('i')!;
      return { element, bar, texts: [price, size, total], shown: { ...NOTHING } };
    });
  }

  /** `rows` are in element order; missing ones are empty. */
  write(rows: readonly (BookRow | undefined)[], format: RowFormat): void {
    const [sizes, side] = [this.#sizes, this.#side];
    const deepest = deepestOf(sizes, side);
    this.#sizes = sizesOf(rows);
    this.#flash = this.#flash === 'a' ? 'b' : 'a';
    for (const [at, parts] of this.#rows.entries()) {
      const row = rows[at];
      const isFirst = row === undefined || deepest === undefined;
      if (!isFirst && hasChanged(row, { sizes, side, deepest })) {
        parts.element.dataset.flash = this.#flash;
      }
      writeRow(parts, row, format);
    }
  }

  /** Empties the rows and removes added nodes before React renders a different number of rows. */
  dispose(): void {
    for (const { bar, element, texts } of this.#rows) {
      showEmpty(element, true);
      bar.style.transform = '';
      delete element.dataset.own;
      for (const text of texts) text.remove();
    }
  }
}

/** Hides an empty row, because an option without a name is invalid. */
function showEmpty(element: HTMLElement, isEmpty: boolean): void {
  element.dataset.empty = String(isEmpty);
  element.ariaHidden = isEmpty ? 'true' : null;
}

function writeRow(parts: RowParts, row: BookRow | undefined, format: RowFormat): void {
  const { bar, element, shown, texts } = parts;
  const next = row ?? NOTHING;
  if (next.price !== shown.price) {
    texts[0].data = row === undefined ? '' : format.price(next.price);
    element.dataset.price = next.price;
    showEmpty(element, row === undefined);
  }
  if (next.size !== shown.size) texts[1].data = row === undefined ? '' : format.size(next.size);
  if (next.total !== shown.total) {
    texts[2].data = row === undefined ? '' : format.size(next.total);
    element.dataset.total = next.total;
  }
  if (next.share !== shown.share) bar.style.transform = `scaleX(${Math.max(0, next.share)})`;
  if (next.isOwn !== shown.isOwn) element.dataset.own = String(next.isOwn);
  parts.shown = { ...next };
}
