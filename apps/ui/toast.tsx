// Short messages about finished actions, at the edge of the page. Screen readers announce them; a
// rejection is shown until the user closes it.

import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLook } from './look.tsx';

export type ToastKind = 'done' | 'refused' | 'unknown' | 'plain';

const manager = Toast.createToastManager();

export function showToast(kind: ToastKind, title: string, description?: string): void {
  const isLasting = kind === 'refused' || kind === 'unknown';
  manager.add({
    title,
    ...(description === undefined ? {} : { description }),
    type: kind,
    timeout: isLasting ? 12_000 : 5_000,
    priority: isLasting ? 'high' : 'low',
  });
}

const EDGES: Readonly<Record<ToastKind, string>> = {
  done: 'border-s-up',
  refused: 'border-s-down',
  unknown: 'border-s-warn',
  plain: 'border-s-accent',
};

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed bottom-4 inset-e-4 z-50 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2 max-md:bottom-28">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { t } = useLook();
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`flex items-start gap-2 rounded border border-line border-s-4 bg-raised p-3 data-limited:hidden ${EDGES[(toast.type ?? 'plain') as ToastKind]}`}
    >
      <div className="min-w-0 flex-1">
        <Toast.Title className="text-body font-semibold" />
        <Toast.Description className="mt-0.5 text-body text-quiet" />
      </div>
      <Toast.Close aria-label={t('shell.close')} className="tap-target text-quiet hover:text-text">
        <X size={14} aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ));
}
