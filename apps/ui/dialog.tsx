// Modal dialog: the browser's own element, which handles Escape and the page behind it. Never opens
// with the focus on its close button, because Enter would then cancel.

import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { useLook } from './look.tsx';

export function Dialog({
  children,
  form = 'centre',
  isOpen,
  onClose,
  title,
}: {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  /** `sheet` slides in from the bottom on phones; `drawer` fills the end side of the page. */
  form?: 'centre' | 'drawer' | 'sheet' | 'wide';
}) {
  const { t } = useLook();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (isOpen && !element.open) {
      element.showModal();
      firstFocus(element)?.focus();
    }
    if (!isOpen && element.open) element.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onPointerDown={({ currentTarget, target }) => {
        if (target === currentTarget) currentTarget.close();
      }}
      className={`rounded border border-line bg-panel p-0 ${FORMS[form]}`}
    >
      {isOpen && (
        <div className="flex max-h-[inherit] flex-col">
          <header className="flex flex-none items-center justify-between gap-4 border-b border-line py-1 ps-4 pe-1">
            <h2 id={id} className="text-value font-semibold">
              {title}
            </h2>
            <Button look="quiet" size="icon" aria-label={t('shell.close')} onClick={onClose}>
              <X size={16} aria-hidden="true" />
            </Button>
          </header>
          <div data-body tabIndex={-1} className="min-h-0 overflow-y-auto p-4 outline-none">
            {children}
          </div>
        </div>
      )}
    </dialog>
  );
}

/** The marked element, or the first field to type in, or the content itself. */
function firstFocus(dialog: HTMLDialogElement): HTMLElement | null {
  const body = dialog.querySelector<HTMLElement>('[data-body]');
  return body?.querySelector<HTMLElement>('[data-focus]') ?? body?.querySelector(FIELDS) ?? body;
}

const FIELDS =
  'input:enabled:not([type=checkbox], [type=radio], [type=range], [type=hidden]), select:enabled, textarea:enabled';

const FORMS = {
  drawer: 'my-0 ms-auto me-0 h-dvh max-h-dvh w-full max-w-md rounded-none',
  centre: 'w-full max-w-md max-h-[85dvh]',
  wide: 'w-full max-w-2xl max-h-[85dvh]',
  sheet: 'mt-auto mb-0 w-full max-w-none max-h-[92dvh]',
} as const;
