// Token of a session for a sub-account or a shared account. It is meant for a program and shown
// once. This page stays in the user's own account.

import { CopyButton } from '../../forms/index.ts';
import { Dialog, useLook } from '../../ui/index.ts';

export function ActingToken({
  name,
  onClose,
  token,
}: {
  /** Name of the account that the token opens. */
  name: string;
  token: string | undefined;
  onClose(): void;
}) {
  const { t } = useLook();
  return (
    <Dialog title={t('acting.title', { name })} isOpen={token !== undefined} onClose={onClose}>
      <div className="flex flex-col gap-3">
        <p className="text-body text-quiet">{t('acting.text')}</p>
        <pre
          dir="ltr"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long token must scroll by keyboard.
          tabIndex={0}
          className="overflow-x-auto rounded bg-raised p-3 font-mono text-label whitespace-pre-wrap break-all select-all"
        >
          {`authorization: Bearer ${token ?? ''}`}
        </pre>
        <div className="flex justify-end">
          <CopyButton label={t('people.copy')} text={token ?? ''} />
        </div>
      </div>
    </Dialog>
  );
}
