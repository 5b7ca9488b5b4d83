// Buttons: one main action per panel, quiet actions next to it, and buy and sell colors.

import type { ButtonHTMLAttributes, Ref } from 'react';

export type ButtonLook = 'main' | 'plain' | 'quiet' | 'buy' | 'sell' | 'danger';

const LOOKS: Readonly<Record<ButtonLook, string>> = {
  main: 'bg-accent text-on-fill font-semibold hover:brightness-110',
  plain: 'bg-raised text-text border border-line hover:bg-hover',
  quiet: 'text-quiet hover:text-text hover:bg-raised',
  buy: 'bg-up text-on-fill font-semibold hover:brightness-110',
  sell: 'bg-down text-on-fill font-semibold hover:brightness-110',
  danger: 'border border-down text-down hover:bg-down hover:text-on-fill',
};

const SIZES = {
  small: 'h-6 px-2 text-label',
  normal: 'h-control px-3 text-body',
  large: 'min-h-10 px-4 py-2 text-value',
  icon: 'size-7 tap-target',
} as const;

export function Button({
  className = '',
  isBusy = false,
  look = 'plain',
  size = 'normal',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: ButtonLook;
  size?: keyof typeof SIZES;
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}) {
  const shape =
    'inline-flex items-center justify-center gap-1.5 rounded transition-colors duration-100 ' +
    'disabled:opacity-50 disabled:hover:brightness-100 aria-busy:opacity-60 forced-colors:border';
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy || undefined}
      className={`${shape} ${LOOKS[look]} ${SIZES[size]} ${className}`}
    />
  );
}
