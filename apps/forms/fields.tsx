// Fields that account screens share: passwords, codes, and text that is shown once.

import { Check, Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { Button, Checkbox, Field, useLook } from '../ui/index.ts';

export function EmailField({ onValue, value }: { value: string; onValue(value: string): void }) {
  const { t } = useLook();
  return (
    <Field
      label={t('people.email')}
      type="email"
      name="email"
      dir="ltr"
      required
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  );
}

export function PasswordField({
  isNew = false,
  label,
  onValue,
  value,
}: {
  label: string;
  value: string;
  onValue(value: string): void;
  /** True for a new password. */
  isNew?: boolean;
}) {
  const { t } = useLook();
  const [isShown, setShown] = useState(false);
  return (
    <div className="flex flex-col gap-1">
      <Field
        label={label}
        type={isShown ? 'text' : 'password'}
        name="password"
        dir="ltr"
        required
        minLength={isNew ? 8 : 1}
        maxLength={128}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        hint={isNew ? t('people.passwordHint') : undefined}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      <Checkbox label={t('people.showPassword')} isOn={isShown} onChange={setShown} />
    </div>
  );
}

/** Six digits, a recovery code, or a code from an email. */
export function CodeField({
  hint,
  isAppCode = false,
  label,
  onValue,
  value,
}: {
  label: string;
  hint?: string;
  value: string;
  onValue(value: string): void;
  /** Code from the authenticator app, or a recovery code. */
  isAppCode?: boolean;
}) {
  const { t } = useLook();
  return (
    <Field
      label={label}
      hint={hint ?? (isAppCode ? t('people.appCodeHint') : undefined)}
      name="code"
      dir="ltr"
      required
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onValue(target.value.trim())}
    />
  );
}

/** Copies a text and confirms it. */
export function CopyButton({ label, text }: { text: string; label: string }) {
  const { t } = useLook();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button onClick={() => void copy()}>
      {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      <span aria-live="polite">{isCopied ? t('people.copied') : label}</span>
    </Button>
  );
}

export function DownloadButton({
  label,
  name,
  text,
}: {
  label: string;
  name: string;
  text: string;
}) {
  return (
    <Button onClick={() => saveFile(name, text)}>
      <Download size={14} aria-hidden="true" />
      {label}
    </Button>
  );
}

export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
