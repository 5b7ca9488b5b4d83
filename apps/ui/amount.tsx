// Numbers in views: digits in one direction, muted trailing zeros, signs and arrows next to color.

import { splitTrailingZeros } from '../decimals/index.ts';
import { useLook } from './look.tsx';

/** An amount with all its digits, or `scale` decimals, and its unit. */
export function Amount({
  isHidden = false,
  scale,
  unit,
  value,
}: {
  value: string | null | undefined;
  scale?: number | undefined;
  unit?: string | undefined;
  isHidden?: boolean;
}) {
  const { number } = useLook();
  if (value === null || value === undefined || value === '') return <span>–</span>;
  const { quiet, strong } = splitTrailingZeros(number(value, scale));
  return (
    <bdi dir="ltr">
      {isHidden ? '••••' : strong}
      {!isHidden && quiet !== '' && <span className="text-quiet">{quiet}</span>}
      {unit !== undefined && <span className="text-quiet"> {unit.toUpperCase()}</span>}
    </bdi>
  );
}

/** A change such as ▲ +1.20%. */
export function Change({ ratio, scale = 2 }: { ratio: string | undefined; scale?: number }) {
  const { percent } = useLook();
  if (ratio === undefined) return <span className="text-quiet">–</span>;
  const isDown = ratio.startsWith('-');
  const isFlat = /^-?0*(?:\.0*)?$/.test(ratio);
  const color = isFlat ? 'text-quiet' : isDown ? 'text-down' : 'text-up';
  return (
    <bdi dir="ltr" className={color}>
      <span aria-hidden="true">{isFlat ? '' : isDown ? '▼ ' : '▲ '}</span>
      {percent(ratio, { isSigned: true, scale })}
    </bdi>
  );
}
