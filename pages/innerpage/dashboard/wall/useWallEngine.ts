// The player of the wall. A worker that dies, after weeks of running, takes all pictures with it: another player follows.
import { useEffect, useState } from 'react';
import { PlayerEngine } from '../../../../shared/player/engine/engine.ts';
import { startWorkers } from '../../../../shared/player/engine/startWorkers.ts';

const RESTART_MS = 5_000;

/** Undefined while there is no engine. The wall owns it: it ends with the component. */
export function useWallEngine(): PlayerEngine | undefined {
  const [engine, setEngine] = useState<PlayerEngine>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    void round;
    const workers = startWorkers();
    let restart: ReturnType<typeof setTimeout> | undefined;
    const onBroken = () => {
      restart ??= setTimeout(() => setRound((at) => at + 1), RESTART_MS);
    };
    for (const worker of [workers.stream, workers.video]) {
      if (worker instanceof Worker) worker.addEventListener('error', onBroken);
    }
    const made = new PlayerEngine(workers);
    setEngine(made);
    return () => {
      clearTimeout(restart);
      made.close();
      setEngine(undefined);
    };
  }, [round]);
  return engine;
}
