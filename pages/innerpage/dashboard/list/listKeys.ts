/** Where a key leads in a list; undefined for keys that lead nowhere. `index` is -1 before the first move. */
export function nextIndex(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const bounded = (wanted: number): number => Math.min(count - 1, Math.max(0, wanted));
  switch (key) {
    case 'ArrowDown':
      return bounded(index + 1);
    case 'ArrowUp':
      return bounded(index - 1);
    case 'PageDown':
      return bounded(index + PAGE);
    case 'PageUp':
      return bounded(index - PAGE);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

const PAGE = 10;
