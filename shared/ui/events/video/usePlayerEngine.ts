import { useEffect, useState } from 'react';
import { PlayerEngine } from '../../../player/engine/engine.ts';

/** Undefined until it has started. The component owns it: it ends with it. */
export function usePlayerEngine(): PlayerEngine | undefined {
  const [engine, setEngine] = useState<PlayerEngine>();
  useEffect(() => {
    const made = new PlayerEngine();
    setEngine(made);
    return () => {
      made.close();
      setEngine(undefined);
    };
  }, []);
  return engine;
}
