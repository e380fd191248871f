// The architecture as a table: who may import whom. Edit it on purpose.
import { complaintInServer } from './serverZones.ts';

const PAGES = ['pages/shell', 'pages/live', 'pages/playback', 'pages/remote'] as const;
/** Each folder in it is a page of its own, which knows no other. */
const INNER_PAGES = 'pages/innerpage';

/** Each zone and the others it may import. Every zone may import itself; longer paths come before what they lie in. */
const MAY_IMPORT: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['shared/protocol', []],
  ['shared', ['shared/protocol']],
  ['workers', ['shared/protocol']],
  ...PAGES.map((page): [string, readonly string[]] => [page, ['shared', 'shared/protocol']]),
  // Runs before anything is installed.
  ['server/setup', []],
  ['server', ['shared/protocol']],
  // The instrument of tests, demo and load: it knows the gateway, and nothing of the product knows it.
  ['simulator', ['server', 'shared/protocol']],
]);

export interface Mention {
  readonly from: string;
  readonly to: string;
  readonly how: 'value' | 'type' | 'url';
}

function zoneOf(file: string): string | undefined {
  const innerPage = /^pages\/innerpage\/[^/]+(?=\/)/.exec(file)?.[0];
  return innerPage ?? [...MAY_IMPORT.keys()].find((zone) => isIn(file, zone));
}

export function mayUseNode(file: string): boolean {
  return isIn(file, 'server') || isIn(file, 'simulator');
}

export function mayUsePackages(file: string): boolean {
  return !isIn(file, 'server/setup');
}

/** What is wrong with one file of ours mentioning another, or nothing. */
export function complaintAbout(mention: Mention): string | undefined {
  const from = zoneOf(mention.from);
  const to = zoneOf(mention.to);
  if (from === undefined) return 'lies in no zone';
  if (from === to)
    return from === 'server' ? complaintInServer(mention.from, mention.to, mention.how === 'type') : undefined;
  if (to !== undefined && mayImport(from).includes(to)) return undefined;
  if (isWorkerDoor(mention) || isServerData(mention)) return undefined;
  return `${from} may not import ${to ?? 'what lies in no zone'}`;
}

function mayImport(zone: string): readonly string[] {
  return isIn(zone, INNER_PAGES) ? ['shared', 'shared/protocol'] : (MAY_IMPORT.get(zone) ?? []);
}

/** The player may name a worker's entry file as an address, and knows the types of its messages. */
function isWorkerDoor({ from, to, how }: Mention): boolean {
  if (!isIn(from, 'shared/player') || !isIn(to, 'workers')) return false;
  return how === 'url' ? /\.(worker|worklet)\.ts$/.test(to) : how === 'type' && to.endsWith('/messages.ts');
}

/** The gateway reads files by their place beside its code: package.json, the built pages. */
function isServerData({ from, to, how }: Mention): boolean {
  return isIn(from, 'server') && how === 'url' && zoneOf(to) === undefined && !isIn(to, 'test');
}

function isIn(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`);
}
