import { useCallback, useState } from 'react';
import type { EnlargeControl } from './tileToolOptions.ts';

export interface Enlarged {
  /** The one tile that stands in the place of all; undefined when none does. */
  readonly channel: number | undefined;
  /** For one tile; undefined where there is nothing to be enlarged among. */
  readonly controlOf: (channel: number) => EnlargeControl | undefined;
}

/** Which tile of a page is shown alone. */
export function useEnlarged(channels: readonly number[]): Enlarged {
  const [chosen, setChosen] = useState<number>();
  const toggle = useCallback((channel: number) => setChosen((was) => (was === channel ? undefined : channel)), []);
  const channel = chosen !== undefined && channels.includes(chosen) ? chosen : undefined;
  const controlOf = (each: number) =>
    channels.length > 1 ? { isEnlarged: each === channel, toggle: () => toggle(each) } : undefined;
  return { channel, controlOf };
}
