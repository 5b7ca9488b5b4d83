// A choice stored in this browser.

import { useCallback, useState } from 'react';

/** `read` gets the stored text or null, and returns the value to use. */
export function useStored<Value>(
  name: string,
  read: (stored: string | null) => Value,
  write: (value: Value) => string,
): [value: Value, set: (value: Value) => void] {
  const key = `rialto.${name}`;
  const [value, setValue] = useState(() => read(localStorage.getItem(key)));
  const set = useCallback(
    (next: Value) => {
      localStorage.setItem(key, write(next));
      setValue(next);
    },
    [key, write],
  );
  return [value, set];
}
