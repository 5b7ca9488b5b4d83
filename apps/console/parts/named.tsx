// Labels for names from data. The tooltip has the wire name, which operators copy into the API, the
// CLI and filters.

import { useNames } from '../use-words.ts';
import { targetText } from './plain-name.ts';

export function Named({
  area,
  className,
  name,
}: {
  area: string;
  name: string;
  className?: string;
}) {
  const nameOf = useNames();
  return (
    <bdi title={name} className={className}>
      {nameOf(area, name)}
    </bdi>
  );
}

/** Target of an action, such as `user 17`. */
export function ActTarget({ className, target }: { target: string; className?: string }) {
  const nameOf = useNames();
  return (
    <bdi title={target} className={className}>
      {target === '' ? '–' : targetText(target, nameOf)}
    </bdi>
  );
}
