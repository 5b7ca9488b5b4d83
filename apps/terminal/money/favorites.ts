// The user's favorite markets, stored in this browser and shared by the market lists.

import { useStored } from './stored.ts';

function read(stored: string | null): ReadonlySet<string> {
  return new Set((stored ?? '').split(',').filter((symbol) => symbol !== ''));
}

function write(symbols: ReadonlySet<string>): string {
  return [...symbols].join(',');
}

export function useFavorites() {
  const [favorites, setFavorites] = useStored('favourites', read, write);
  const toggle = (symbol: string) => {
    const next = new Set(favorites);
    if (!next.delete(symbol)) next.add(symbol);
    setFavorites(next);
  };
  return { favorites, toggle };
}
