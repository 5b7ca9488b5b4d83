// QR code, dark on light in every theme, because cameras expect that.

import { useMemo } from 'react';
import { qrPath } from './qr-path.ts';

export function QrCode({ label, text }: { text: string; label: string }) {
  const { path, size } = useMemo(() => qrPath(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-44 flex-none rounded"
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#ffffff" />
      <path d={path} fill="#0b0e11" />
    </svg>
  );
}
