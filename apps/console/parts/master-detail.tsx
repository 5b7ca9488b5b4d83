// A queue on one side and its selected row on the other. The URL has the selected row, so the
// selection survives a reload and can be shared.

import type { ComponentProps, ReactNode } from 'react';
import { Panel, Segments, stateOfList } from '../../ui/index.ts';
import { useParameters } from './search-parameters.ts';

interface MasterDetailProps<Row, Choice extends string> {
  /** For screen readers. */
  readonly heading: string;
  readonly title: string;
  readonly list: { readonly error: unknown; readonly data: readonly Row[] | undefined };
  readonly emptyText: string;
  onRetry(): void;
  readonly filter: ComponentProps<typeof Segments<Choice>>;
  row(row: Row): ReactNode;
  /** Selected row. */
  readonly children: ReactNode;
}

export function MasterDetail<Row, Choice extends string>({
  children,
  emptyText,
  filter,
  heading,
  list,
  onRetry,
  row,
  title,
}: MasterDetailProps<Row, Choice>) {
  return (
    <div className="grid min-h-0 flex-1 gap-1 lg:grid-cols-[24rem_1fr]">
      <h1 className="sr-only">{heading}</h1>
      <Panel
        title={title}
        state={stateOfList(list, emptyText)}
        onRetry={onRetry}
        after={<Segments {...filter} />}
      >
        <ul className="overflow-y-auto">{list.data?.map(row)}</ul>
      </Panel>
      {children}
    </div>
  );
}

export interface QueueRowProps {
  readonly isChosen: boolean;
  readonly children: ReactNode;
  onChoose(): void;
}

export function QueueRow({ children, isChosen, onChoose }: QueueRowProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        className="flex w-full flex-col gap-0.5 border-b border-s-2 border-line border-s-transparent px-2 py-2 text-start text-body hover:bg-raised aria-pressed:border-s-accent aria-pressed:bg-raised"
      >
        {children}
      </button>
    </li>
  );
}

/** Returns the `id` in the URL, and a function that changes it. */
export function useChosenId(): [id: string, choose: (id: number) => void] {
  const [{ id = '' }, change] = useParameters();
  return [id, (chosen) => change({ id: String(chosen) })];
}
