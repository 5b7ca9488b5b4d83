// A choice that is kept in this browser.

import { useCallback, useState } from 'react';

/** `read` gets the stored text, or null, and answers the value that counts. */
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
