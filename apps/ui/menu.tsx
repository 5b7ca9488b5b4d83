// Menu that opens from a button: links and actions.

import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';

export function Menu({
  children,
  label,
  onOpen,
  trigger,
}: {
  label: string;
  trigger: ReactNode;
  children: ReactNode;
  onOpen?: () => void;
}) {
  return (
    <BaseMenu.Root onOpenChange={(isOpen) => isOpen && onOpen?.()}>
      <BaseMenu.Trigger
        aria-label={label}
        className="inline-flex h-8 tap-target items-center gap-1.5 rounded px-2 text-body hover:bg-raised data-popup-open:bg-raised"
      >
        {trigger}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align="end" className="z-50">
          <BaseMenu.Popup className="max-h-[80dvh] min-w-44 overflow-y-auto rounded border border-line bg-panel py-1">
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

const ITEM =
  'flex min-h-8 w-full items-center gap-2 px-3 text-body data-highlighted:bg-raised ' +
  'data-[chosen=true]:text-accent';

export function MenuItem({
  children,
  isChosen = false,
  onClick,
  render,
}: {
  children: ReactNode;
  onClick?: () => void;
  /** For links: the element to render the item as. */
  render?: ReactElement;
  isChosen?: boolean;
}) {
  return (
    <BaseMenu.Item
      className={ITEM}
      data-chosen={isChosen}
      {...(onClick === undefined ? {} : { onClick })}
      {...(render === undefined ? {} : { render })}
    >
      {children}
    </BaseMenu.Item>
  );
}

export function MenuLine() {
  return <BaseMenu.Separator className="my-1 h-px bg-line" />;
}
