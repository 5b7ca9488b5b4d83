// Area that scrolls if its content is larger. Then it is focusable for scrolling by arrow keys;
// otherwise it is not a tab stop.

import { type ReactNode, useEffect, useRef, useState } from 'react';

export function ScrollArea({
  children,
  className = '',
  label,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  const area = useRef<HTMLElement>(null);
  const [isLarger, setLarger] = useState(false);
  useEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const { clientHeight, clientWidth, scrollHeight, scrollWidth } = element;
      setLarger(scrollWidth > clientWidth || scrollHeight > clientHeight);
    });
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={area}
      className={`overflow-auto focus-visible:-outline-offset-2 ${className}`}
      {...(isLarger && { 'aria-label': label, tabIndex: 0 })}
    >
      {children}
    </section>
  );
}
