import type { Mention } from './zones.ts';

/** Cycles of imports, types included, each as the files along it, the first one repeated at the end. */
export function findCycles(mentions: readonly Mention[]): string[][] {
  const graph = new Map<string, string[]>();
  for (const { from, to, how } of mentions) {
    if (how !== 'url') graph.set(from, [...(graph.get(from) ?? []), to]);
  }
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      cycles.push([...path.slice(at), file]);
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) walk(next);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) walk(file);
  return cycles;
}
