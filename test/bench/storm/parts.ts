// What each part of the gateway takes of its main thread, from a profile.
import type { Profile, ProfileNode } from './profiler.ts';

/** In the order of the tables. `idle` is not among them. */
export const PARTS = [
  'connections',
  'protocol',
  'reports',
  'rules and events',
  'fences',
  'tracks',
  'usage',
  'board',
  'statements',
  'garbage',
  'other',
] as const;
export type Part = (typeof PARTS)[number];

/** First match counts. */
const FOLDERS: readonly (readonly [RegExp, Part])[] = [
  [/\/server\/device\/jt808\//, 'protocol'],
  [/\/server\/(device\/usage|netflow)\//, 'usage'],
  [/\/server\/device\//, 'reports'],
  [/\/server\/(events|app\/events|notify)/, 'rules and events'],
  [/\/server\/fences\//, 'fences'],
  [/\/server\/(app\/)?tracks\//, 'tracks'],
  [/\/server\/(fleet|live|http)\//, 'board'],
  [/\/server\/store\/|\/kysely\/|^node:internal\/worker|messageport/, 'statements'],
  [/^node:(net|internal\/(stream|net))|^node:internal\/streams/, 'connections'],
];
/** Functions of the engine, which have no file. */
const NATIVE: Readonly<Record<string, Part>> = {
  '(garbage collector)': 'garbage',
  postMessage: 'statements',
  writeBuffer: 'connections',
  close: 'connections',
  shutdown: 'connections',
};
const NOT_COUNTED = new Set(['(idle)', '(root)']);

export function partOf({ callFrame: { functionName, url } }: ProfileNode): Part | undefined {
  if (url === '') return NOT_COUNTED.has(functionName) ? undefined : (NATIVE[functionName] ?? 'other');
  return FOLDERS.find(([folder]) => folder.test(url))?.[1] ?? 'other';
}

/** Microseconds of each part. */
export function timesOf({ nodes, samples, timeDeltas }: Profile): ReadonlyMap<Part, number> {
  const parts = new Map(nodes.map((node) => [node.id, partOf(node)]));
  const times = new Map<Part, number>(PARTS.map((part) => [part, 0]));
  samples.forEach((node, at) => {
    const part = parts.get(node);
    if (part !== undefined) times.set(part, (times.get(part) ?? 0) + (timeDeltas[at] ?? 0));
  });
  return times;
}
