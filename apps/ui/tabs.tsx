// Tabs of a panel, and a segmented control.

import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import type { Choice } from './select.tsx';

export interface Tab<Value extends string> extends Choice<Value> {
  readonly content: ReactNode;
}

const TAB =
  'h-8 px-2.5 text-body text-quiet border-b-2 border-transparent whitespace-nowrap ' +
  'hover:text-text aria-selected:text-text aria-selected:border-accent';

export function Tabs<Value extends string>({
  after,
  className = '',
  label,
  onValue,
  tabs,
  value,
}: {
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onValue(value: NoInfer<Value>): void;
  /** Actions at the end of the row, outside the tab list. */
  after?: ReactNode;
  className?: string;
}) {
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={(next) => onValue(next as Value)}
      className={`flex min-h-0 flex-col ${className}`}
    >
      <div className="flex flex-none items-center justify-between gap-2 border-b border-line px-1 max-md:flex-wrap">
        <BaseTabs.List
          aria-label={label}
          className="-mb-px flex min-w-0 overflow-x-auto max-md:flex-wrap"
        >
          {tabs.map((tab) => (
            <BaseTabs.Tab key={tab.value} value={tab.value} className={TAB}>
              {tab.label}
            </BaseTabs.Tab>
          ))}
        </BaseTabs.List>
        {after}
      </div>
      {tabs.map((tab) => (
        <BaseTabs.Panel
          key={tab.value}
          value={tab.value}
          className="flex min-h-0 flex-1 flex-col focus-visible:-outline-offset-2"
        >
          {tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}

/** One choice from a few visible ones: sides, order types, periods. */
export function Segments<Value extends string>({
  choices,
  className = '',
  label,
  onValue,
  value,
}: {
  label: string;
  /** An icon stands for the label, which is its name. */
  choices: readonly (Choice<Value> & { readonly icon?: ReactNode })[];
  value: Value;
  onValue(value: NoInfer<Value>): void;
  className?: string;
}) {
  return (
    <fieldset className={`flex rounded bg-raised p-0.5 ${className}`}>
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          aria-label={choice.icon === undefined ? undefined : choice.label}
          title={choice.icon === undefined ? undefined : choice.label}
          onClick={() => onValue(choice.value)}
          className="min-h-6 flex-1 rounded px-2 text-body text-quiet whitespace-nowrap hover:text-text aria-pressed:bg-panel aria-pressed:font-semibold aria-pressed:text-text"
        >
          {choice.icon ?? choice.label}
        </button>
      ))}
    </fieldset>
  );
}
